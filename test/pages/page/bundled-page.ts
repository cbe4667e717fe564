import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import type { Page } from '../../support/browser.ts'

/** Runs a module of `src/pages` in an open page, as `globalThis.subject`. */
export async function loadInto(page: Page, path: string): Promise<void> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(`../../../src/pages/${path}`, import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'subject' })
  await bundle.close()
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: `${output[0].code}; globalThis.subject = subject` })
}
