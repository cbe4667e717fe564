import { EXIT } from '../../src/errors.ts'

/** The exit code of each function in `calls/refusal.ts` that makes a refusal. */
const MAKERS = { rejected: EXIT.rejected, notFound: EXIT.notFound, conflict: EXIT.conflict } as const

/** Every error code in the sources with its exit code. Read from the text, since no run produces all of them. */
export function errorCodesOf(sources: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const text of sources) {
    for (const [, code = '', exit] of text.matchAll(/\bcode: '([a-z_]+)'(?:,\s*exitCode: EXIT\.(\w+))?/g))
      // A problem kind of zod, not one of our error codes.
      if (code !== 'custom') found.set(code, exitOf(exit) ?? found.get(code) ?? EXIT.usage)
    for (const [, code = '', exit] of text.matchAll(/\b(?:PayError|super)\(\s*'([a-z_]+)',\s*EXIT\.(\w+)/g))
      found.set(code, exitOf(exit) ?? EXIT.usage)
    // The exit code of another error.
    for (const [, code = ''] of text.matchAll(/\bPayError\('([a-z_]+)', exitCode\b/g)) found.set(code, NaN)
    for (const [, code = '', exit] of text.matchAll(/\bsuper\(code \?\? '([a-z_]+)', EXIT\.(\w+)/g))
      found.set(code, exitOf(exit) ?? EXIT.usage)
    for (const [, code = ''] of text.matchAll(/\bsuper\('([a-z_]+)', signal/g))
      found.set(code, EXIT.interrupted)
    for (const [maker, exit] of Object.entries(MAKERS))
      for (const [, code = ''] of text.matchAll(new RegExp(`\\b${maker}\\(\\s*'([a-z_]+)'`, 'g')))
        found.set(code, exit)
  }
  return found
}

const exitOf = (name: string | undefined): number | undefined =>
  Object.entries(EXIT).find(([known]) => known === name)?.[1]
