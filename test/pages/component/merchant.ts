import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import type { FrameLocator } from 'playwright-core'
import type { OpenOptions, Page, TestBrowser } from '../../support/browser.ts'
import type { Json } from '../../sandbox/service.ts'
import { createSession } from '../checkout/open-checkout.ts'
import { openPages } from '../served-pages.ts'
import type { ServedPages } from '../served-pages.ts'

/** Serves one HTML page and its script on a separate port; resolves to the address. */
export async function serveSite(body: string, script = '', host = '127.0.0.1'): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/page.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
    response.end(
      isScript
        ? script
        : `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">${body}</html>`,
    )
  })
  await new Promise<void>((ready) => {
    server.listen(0, host, ready)
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://${host}:${Object(server.address()).port}`
}

export interface Merchant {
  readonly page: Page
  readonly served: ServedPages
  readonly clientToken: string
  readonly checkout: FrameLocator
  /** What the callbacks got, in order. */
  readonly calls: () => Promise<readonly Json[]>
}

/** Keeps what each callback gets, and lets a test unmount. */
const SCRIPT = (clientToken: string) => `
  window.calls = []
  const note = (name) => (value) => calls.push(value === undefined ? { name } : { name, ...value })
  window.checkout = PayCheckout.mount(document.getElementById('checkout'), {
    clientToken: ${JSON.stringify(clientToken)},
    onComplete: note('complete'), onFail: note('fail'), onCancel: note('cancel'),
  })`

export const pageWith = (sandboxUrl: string, more = ''): string =>
  `<script src="${sandboxUrl}/checkout.js"></script></head><body>${more}<main><h1>Shop</h1><div id="checkout"></div></main><script src="/page.js"></script></body>`

/** A merchant's page with the checkout of a session in it. `more` is further HTML before it. */
export async function openMerchant(
  browser: TestBrowser,
  {
    session,
    served: given,
    more = '',
    host = '127.0.0.1',
    open = {},
    token,
  }: {
    readonly session?: Json
    readonly served?: ServedPages
    readonly more?: string
    readonly host?: string
    readonly open?: OpenOptions
    readonly token?: string
  } = {},
): Promise<Merchant> {
  const served = given ?? (await openPages())
  const clientToken = token ?? (await createSession(served, session))
  const site = await serveSite(pageWith(served.server.url, more), SCRIPT(clientToken), host)
  const page = await browser.open(site, { ...open, origins: [served.server.url, ...(open.origins ?? [])] })
  return {
    page,
    served,
    clientToken,
    checkout: page.frameLocator('iframe[title="Checkout"]'),
    calls: () => page.evaluate<readonly Json[]>('window.calls'),
  }
}
