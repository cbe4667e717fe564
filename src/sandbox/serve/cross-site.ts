import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'

/** What a page of another site may make a browser request, always with GET and without a key. */
const ALLOWED: readonly { readonly path: RegExp; readonly mode: string; readonly into: readonly string[] }[] =
  [
    { path: /^\/checkout\.js$/, mode: 'no-cors', into: ['script'] },
    // Its Content-Security-Policy says which sites may frame it.
    { path: /^\/checkout$/, mode: 'navigate', into: ['iframe', 'document'] },
    // A link in a chat or a document: it opens one of our pages in its own tab.
    { path: /^\/dashboard(?:\/|$)/, mode: 'navigate', into: ['document'] },
  ]

/** Only browsers send these headers. */
export function refuseCrossSite({
  headers,
  method,
  url = '',
}: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): void {
  if (headers['sec-fetch-site']?.includes('cross-site') !== true) return
  const path = url.replace(/[?#].*$/s, '')
  const { 'sec-fetch-mode': mode = '', 'sec-fetch-dest': into = '' } = headers
  const isAllowed = ALLOWED.some(
    (row) => method === 'GET' && row.path.test(path) && row.mode === mode && row.into.includes(into),
  )
  if (!isAllowed)
    throw new Problem('Forbidden', 'Pages of other sites may not use this sandbox.', {
      recoverySuggestion: 'Open the page in its own tab, or call the sandbox from your server.',
    })
}
