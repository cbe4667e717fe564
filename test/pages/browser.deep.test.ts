import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth } from '../support/browser.ts'
import type { TestBrowser } from '../support/browser.ts'

/** That the tests of pages notice what they promise to notice. */

async function servePage(html: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      ...headers,
    })
    response.end(
      request.url === '/'
        ? `<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,">${html}`
        : '',
    )
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${Object(server.address()).port}/`
}

async function expectProblem(browser: TestBrowser, report: RegExp): Promise<void> {
  const problems: string[] = []
  await expect
    .poll(() => [problems.push(...browser.takeProblems()), ...problems])
    .toContainEqual(expect.stringMatching(report))
}

browserTest.for([
  ['an error in the console', '<script>console.error("broken")</script>', /console: broken/],
  ['an uncaught error', '<script>throw new Error("thrown")</script>', /error: .*thrown/],
  ['an unhandled rejection', '<script>Promise.reject(new Error("lost"))</script>', /error: .*lost/],
  ['a missing file', '<script src="/missing.js"></script>', /script .*missing\.js: 404/],
  [
    'another origin',
    '<img alt="" src="http://127.0.0.2:1/a.png">',
    /loads from another origin: http:\/\/127\.0\.0\.2/,
  ],
] as const)('%s is noticed', async ([, html, report], { browser }) => {
  await browser.open(await servePage(html))
  await expectProblem(browser, report)
})

browserTest('a violation of the policy is noticed', async ({ browser }) => {
  const policy = { 'content-security-policy': "default-src 'none'; img-src data:" }
  await browser.open(await servePage('<script>1</script><p style="color: red">x</p>', policy))
  await expectProblem(browser, /^CSP violation: (?:script|style)-src/)
})

browserTest('what is not accessible is noticed, in either theme', async ({ browser }) => {
  const dark = '<style>@media (prefers-color-scheme: dark) { p { color: #777; background: #888 } }</style>'
  const page = await browser.open(await servePage(`${dark}<main><h1>x</h1><p>text</p></main>`))
  await expect(expectAccessible(page)).rejects.toThrow(/dark theme/)
  const light = await browser.open(await servePage('<main><h1>x</h1><p>text</p></main>'))
  await expectAccessible(light)
})

browserTest('a page wider than its window is noticed', async ({ browser }) => {
  const page = await browser.open(await servePage('<main style="width: 400px">x</main>'))
  await expectFitsWidth(page, 768)
  await expect(expectFitsWidth(page, 320)).rejects.toThrow(/320 px/)
})
