import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.ts'

/** What a page of another site may make a browser ask for, always with GET and without any key. */
const ALLOWED: readonly { readonly path: RegExp; readonly mode: string; readonly into: readonly string[] }[] =
  [
    { path: /^\/checkout\.js$/, mode: 'no-cors', into: ['script'] },
    // Which sites may frame it, its Content-Security-Policy says.
    { path: /^\/checkout$/, mode: 'navigate', into: ['iframe', 'document'] },
    // A link in a chat or a document: it opens a page of ours, in a tab of its own.
    { path: /^\/dashboard(?:\/|$)/, mode: 'navigate', into: ['document'] },
  ]

/** Other programs than browsers don't send these headers. */
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
      recoverySuggestion: 'Open the page in a tab of its own, or call the sandbox from your server.',
    })
}
