/**
 * The base URL of the embedded sandbox. The identity of its data is its fragment, which is no part of a request, so that the
 * ledger takes data that were emptied for another service: payment IDs and orders come again.
 */
const SANDBOX_URL = 'http://sandbox.localhost'

export const sandboxUrl = (identity?: string): string =>
  identity === undefined ? SANDBOX_URL : `${SANDBOX_URL}#${identity}`

/** The identity of a sandbox's data; undefined for every other service, and for data of earlier versions. */
export const sandboxIn = (baseUrl: string): string | undefined =>
  baseUrl.startsWith(`${SANDBOX_URL}#`) ? baseUrl.slice(SANDBOX_URL.length + 1) : undefined

/** The base URL for people. */
export const shownUrl = (baseUrl: string): string =>
  sandboxIn(baseUrl) === undefined ? baseUrl : SANDBOX_URL

export const isSandboxUrl = (baseUrl: string): boolean => shownUrl(baseUrl) === SANDBOX_URL
