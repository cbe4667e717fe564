import { withoutKey } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'

export interface PageUrls {
  readonly dashboardUrl: string
  /** Takes a client token as its fragment. */
  readonly checkoutUrl: string
}

/** The pages of a server. */
export const pageUrls = ({ url }: { readonly url: string }): PageUrls => ({
  dashboardUrl: `${url}/dashboard`,
  checkoutUrl: `${url}/checkout`,
})

/** A running server to show, with its pages and without its key. */
export const shownServer = (server: RegisteredServer): RegisteredServer & PageUrls => ({
  ...withoutKey(server),
  ...pageUrls(server),
})
