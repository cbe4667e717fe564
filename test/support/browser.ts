import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { test as base, expect } from 'vitest'

export type { Page }

export interface OpenOptions {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  /** Further origins that the page may load from, such as a merchant's own page. */
  readonly origins?: readonly string[]
  /** Messages that the test causes on purpose, such as a lost connection. */
  readonly tolerates?: RegExp | undefined
}

export interface TestBrowser {
  /**
   * Opens a page in a fresh profile. The test fails if the page reports an error, violates its Content-Security-Policy,
   * lacks a file, or loads anything from another origin.
   */
  open(url: string, options?: OpenOptions): Promise<Page>
  /** Returns the problems that pages have reported so far, for tests that cause them on purpose. Those don't fail the test. */
  takeProblems(): readonly string[]
}

/** Finds the browser: `CHROMIUM`, or `chromium` on PATH. */
function findChromium(): string | undefined {
  const given = process.env['CHROMIUM']
  if (given !== undefined && given !== '') return given
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find((path) => existsSync(path) && statSync(path).isFile())
}

const NO_BROWSER =
  'Chromium is missing; set CHROMIUM to its path, or install it (Debian: apt install chromium)'

/** A test in Chromium; skipped without one. The files of a worker share one browser: `browserTest.for(rows)(name, (row, { browser }) => …)`. */
export const browserTest = base.extend<{ browser: TestBrowser; chromium: Browser | undefined }>({
  chromium: [
    // Vitest reads the names of fixtures from this pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const executablePath = findChromium()
      if (executablePath === undefined) return use(undefined)
      const launched = await chromium.launch({
        executablePath,
        // Other sites, for tests of what they may do. Nothing leaves this machine.
        args: [
          '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        ],
      })
      await use(launched)
      await launched.close()
    },
    { scope: 'worker' },
  ],
  browser: async ({ chromium: launched, skip }, use) => {
    if (launched === undefined) return skip(NO_BROWSER)
    const contexts: BrowserContext[] = []
    const problems: string[] = []
    await use({
      open: async (url, options = {}) => {
        const { width = 1280, height = 800, theme = 'light' } = options
        const context = await launched.newContext({
          viewport: { width, height },
          colorScheme: theme,
          reducedMotion: 'reduce',
        })
        contexts.push(context)
        await watch(context, problems, {
          ...options,
          origins: [new URL(url).origin, ...(options.origins ?? [])],
        })
        context.setDefaultTimeout(20_000)
        const page = await context.newPage()
        await page.goto(url)
        return page
      },
      takeProblems: () => problems.splice(0),
    })
    // Reports come before the answer to a later question. A closed page has none.
    const pages = contexts.flatMap((context) => context.pages())
    await Promise.all(pages.map((page) => page.evaluate('0').catch(() => undefined)))
    await Promise.all(contexts.map((context) => context.close()))
    expect(problems).toEqual([])
  },
})

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  reportViolation(event.effectiveDirective + ' ' + (event.blockedURI || event.sourceFile))
})`

/** Chromium's message for every response with an error status; pages show refusals, so only missing files count. */
const FAILED_RESPONSE = /^Failed to load resource: the server responded with a status of \d+/

async function watch(
  context: BrowserContext,
  problems: string[],
  { tolerates, origins = [] }: OpenOptions,
): Promise<void> {
  const report = (problem: string) => {
    if (tolerates?.test(problem) !== true) problems.push(problem)
  }
  await context.exposeFunction('reportViolation', (text: string) => report(`CSP violation: ${text}`))
  await context.addInitScript(REPORT_VIOLATIONS)
  context.on('console', (message) => {
    if (message.type() !== 'error' || FAILED_RESPONSE.test(message.text())) return
    report(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => report(`error: ${error.error().stack ?? error.error().message}`))
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!['data:', 'blob:', 'about:'].includes(protocol) && !origins.includes(origin))
      report(`loads from another origin: ${request.url()}`)
  })
  context.on('response', (response) => {
    const kind = response.request().resourceType()
    if (response.status() >= 400 && !['fetch', 'xhr', 'eventsource'].includes(kind))
      report(`${kind} ${response.url()}: ${response.status()}`)
  })
}

export const WIDTHS = { phone: 320, tablet: 768, desktop: 1280 } as const

/** Expects that nothing is cut off or needs sideways scrolling at this width. */
export async function expectFitsWidth(page: Page, width: number): Promise<void> {
  const height = page.viewportSize()?.height ?? 800
  await page.setViewportSize({ width, height })
  const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(scrollWidth, `the page at ${width} px`).toBeLessThanOrEqual(width)
}

const RUN_AXE = `axe.run(document, { iframes: false }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => [id, help, html, failureSummary].join(': '))))`

/** Checks every rule of axe-core, in both themes. Leaves the page in its own theme. */
export async function expectAccessible(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: `${axe.source};0` })
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: RUN_AXE,
      awaitPromise: true,
      returnByValue: true,
    })
    expect(exceptionDetails).toBeUndefined()
    expect(result.value, `problems in the ${theme} theme`).toEqual([])
  }
  await session.detach()
  await page.emulateMedia({ colorScheme: null })
}
