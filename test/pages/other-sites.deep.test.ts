import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { addFault, faultsIn } from '../sandbox/service.ts'
import { browserTest } from '../support/browser.ts'
import { pagesIn } from '../../src/sandbox/serve/pages.ts'
import { BUILT_PAGES, openPages } from './served-pages.ts'

/** What a browser lets other sites do with a running sandbox. `*.test` names lead to this machine, as with DNS rebinding. */

async function serveSite(
  html: string | (() => string),
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(
      `<!doctype html><html lang="en"><title>site</title><link rel="icon" href="data:,"><body>${typeof html === 'string' ? html : html()}</body>`,
    )
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return Object(server.address()).port
}

browserTest('another site reads, embeds and sends nothing', async ({ browser }) => {
  const { server, sandbox, at } = await openPages()
  await addFault({ sandbox }, { on: '* /nothing', do: 'hang', rate: 1, seed: 1, skip: 0 })
  const port = await serveSite('<form method="post" target="frame"></form><iframe name="frame"></iframe>')
  const page = await browser.open(`http://evil.test:${port}/`, { origins: [server.url], tolerates: /./ })
  const outcomes = await page.evaluate(`(async () => {
    const base = ${JSON.stringify(server.url)}
    const load = (tag, path, attribute = 'src') => new Promise((resolve) => {
      const element = document.createElement(tag)
      element.onload = () => resolve(tag + ' loaded')
      element.onerror = () => resolve('refused')
      element[attribute] = base + path
      if (tag === 'link') element.rel = 'stylesheet'
      document.body.append(element)
    })
    const read = (path, init) => fetch(base + path, init).then((response) => response.type, () => 'refused')
    return {
      script: await load('script', '/assets/dashboard.js'),
      style: await load('link', '/assets/dashboard.css', 'href'),
      picture: await load('img', '/payments'),
      cors: await read('/payments'),
      withKey: await read('/payments', { headers: { 'X-API-KEY': 'sandbox_all' } }),
      events: await read('/sandbox/changes', { headers: { 'X-API-KEY': 'sandbox_all' } }),
      blind: await read('/payments', { mode: 'no-cors' }),
      blindPost: await read('/sandbox/reset', { mode: 'no-cors', method: 'POST' }),
      component: await load('script', '/checkout.js'),
    }
  })()`)
  expect(outcomes).toEqual({
    script: 'refused',
    style: 'refused',
    picture: 'refused',
    cors: 'refused',
    withKey: 'refused',
    events: 'refused',
    blind: 'refused',
    blindPost: 'refused',
    // It is made for other origins, and holds nothing of this sandbox.
    component: 'script loaded',
  })
  await page.evaluate(
    `document.forms[0].action = ${JSON.stringify(at('/sandbox/reset'))}; document.forms[0].submit()`,
  )
  for (const path of ['/dashboard', '/checkout', '/sandbox/status']) {
    await page.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(at(path))}`)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
    await page.evaluate(`document.querySelector('iframe').src = 'about:blank'`)
    await expect.poll(() => page.frames()[1]?.url()).toBe('about:blank')
  }
  expect(await faultsIn({ sandbox })).toHaveLength(1)
})

browserTest('a name that another site points here shows nothing', async ({ browser }) => {
  const { server } = await openPages()
  for (const path of ['/dashboard', '/checkout', '/assets/dashboard.js']) {
    const page = await browser.open(`http://rebound.test:${server.port}${path}`, {
      tolerates: /document .*: 403/,
    })
    expect(await page.evaluate('document.body.textContent')).toContain('"errorId":"Forbidden"')
  }
})

browserTest(
  'a page of another site may link to the dashboard, and gets no reference to its window',
  async ({ browser }) => {
    const { server, at } = await openPages()
    const port = await serveSite(`<a href="${at('/dashboard')}" target="_blank" rel="opener">open</a>`)
    const page = await browser.open(`http://other.test:${port}/`, { origins: [server.url] })
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link').click()])
    await opened.getByRole('heading', { name: 'Payments' }).waitFor()
    expect(await opened.evaluate('opener === null')).toBe(true)
  },
)

browserTest.for([
  ['an allowed origin', (port: number) => [`http://shop.test:${port}`], true],
  ['another port of an allowed host', () => ['http://shop.test:1'], false],
] as const)('%s: may it show the checkout in a frame?', async ([, origins, isShown], { browser }) => {
  let html = ''
  const port = await serveSite(() => html)
  const pages = pagesIn({ folder: BUILT_PAGES, allowedOrigins: origins(port) })
  const { server, at } = await openPages({ pages })
  html = `<script src="${at('/checkout.js')}"></script><iframe title="checkout" src="${at('/checkout')}"></iframe>`
  const page = await browser.open(`http://shop.test:${port}/`, {
    origins: [server.url],
    tolerates: isShown ? undefined : /./,
  })
  await expect.poll(() => page.frames()[1]?.url()).toMatch(isShown ? /\/checkout$/ : /^chrome-error:/)
})

browserTest.for([
  ['a page of this machine', 'localhost', {}],
  [
    'a page of this machine that embeds only who agrees',
    'localhost',
    { 'cross-origin-embedder-policy': 'require-corp' },
  ],
] as const)('%s may show the checkout in a frame', async ([, host, headers], { browser }) => {
  const { server, at } = await openPages()
  const port = await serveSite(
    `<script src="${at('/checkout.js')}"></script><iframe title="checkout" src="${at('/checkout')}"></iframe>`,
    headers,
  )
  const page = await browser.open(`http://${host}:${port}/`, { origins: [server.url] })
  await page.frameLocator('iframe').locator('main').waitFor({ state: 'attached' })
  expect(await page.evaluate('typeof PayCheckout')).toBe('object')
})
