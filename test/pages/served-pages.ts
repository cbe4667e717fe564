import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pagesIn } from '../../src/sandbox/serve/pages.ts'
import type { ServerOptions } from '../../src/sandbox/serve/server.ts'
import { openServed } from '../sandbox/serve/over-http.ts'
import type { Opening, Served } from '../sandbox/serve/over-http.ts'

export const BUILT_PAGES = fileURLToPath(new URL('../../dist/web', import.meta.url))

export type ServedPages = Served & {
  /** The address of a page: `at('/dashboard')`. */
  readonly at: (path: string) => string
}

/** A served sandbox with the built pages, on a free port, for one test. */
export async function openPages(
  options: Partial<ServerOptions> = {},
  opening: Opening = {},
): Promise<ServedPages> {
  if (!existsSync(join(BUILT_PAGES, 'dashboard.html')))
    throw new Error('the pages are not built: npm run build')
  const served = await openServed({ pages: pagesIn({ folder: BUILT_PAGES }), ...options }, opening)
  return { ...served, at: (path) => `${served.server.url}${path}` }
}
