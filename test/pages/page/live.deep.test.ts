import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import type { Page, TestBrowser } from '../../support/browser.ts'
import { addFault, advance, newFolder, openService } from '../../sandbox/service.ts'
import { openPages } from '../served-pages.ts'
import { loadInto } from './bundled-page.ts'

const LOST = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 401/

/** Follows the sandbox in a page; `paths()` are all requests that it reported. */
async function startLive(browser: TestBrowser, origin: string) {
  const page: Page = await browser.open(`${origin}/checkout`, { tolerates: LOST })
  await loadInto(page, 'page/live.ts')
  await page.evaluate(`
    globalThis.seen = { paths: [], versions: 0, states: [] }
    const { live, startLive } = subject
    live.latest.subscribe((entries) => seen.paths.push(...entries.map(({ path }) => path)))
    live.version.subscribe((version) => { seen.versions = version })
    live.state.subscribe((state) => seen.states.push(state))
    startLive()
    0
  `)
  return {
    page,
    paths: () => page.evaluate<string[]>('seen.paths'),
    version: () => page.evaluate<number>('seen.versions'),
    state: () => page.evaluate<string>('seen.states.at(-1)'),
  }
}

browserTest(
  'a page learns of requests and changes, of this server and of other processes',
  async ({ browser }) => {
    const service = await openPages()
    const live = await startLive(browser, service.server.url)
    await expect.poll(live.state).toBe('live')
    const before = await live.version()
    await service.call('POST', '/payments', {})
    await expect.poll(live.version).toBeGreaterThan(before)
    expect(await live.paths()).toEqual(['/payments'])
    const other = await openService(service.folder, 2)
    const between = await live.version()
    await advance(other, 1_000)
    await expect.poll(live.version).toBeGreaterThan(between)
  },
)

browserTest('a read is reported, but does not make pages fetch again', async ({ browser }) => {
  const service = await openPages()
  const live = await startLive(browser, service.server.url)
  await expect.poll(live.version).toBe(1)
  await service.call('GET', '/payments')
  await expect.poll(live.paths).toEqual(['/payments'])
  expect(await live.version()).toBe(1)
  await addFault(service, { on: 'GET /payments', do: 'status=503' })
  await expect.poll(live.version).toBe(2)
  await service.call('GET', '/payments')
  // It met a fault, which counts.
  await expect.poll(live.version).toBe(3)
})

browserTest('a page follows a server that ends and comes back, and misses nothing', async ({ browser }) => {
  const folder = newFolder()
  const first = await openPages({}, { folder })
  const live = await startLive(browser, first.server.url)
  await expect.poll(live.state).toBe('live')
  await first.call('GET', '/payments/before')
  await expect.poll(live.paths).toEqual(['/payments/before'])
  await first.server.close()
  await expect.poll(live.state).toBe('broken')
  const other = await openService(folder, 2)
  await other.call('GET', '/payments/by-other')
  const second = await openPages({ port: first.server.port }, { folder, seed: 3 })
  await expect.poll(live.state).toBe('live')
  await second.call('GET', '/payments/after')
  await expect.poll(live.paths).toEqual(['/payments/before', '/payments/by-other', '/payments/after'])
})

browserTest('a page in the background asks for nothing', async ({ browser }) => {
  const service = await openPages()
  const live = await startLive(browser, service.server.url)
  await expect.poll(live.version).toBe(1)
  const setVisibility = (visibility: string) =>
    live.page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true }); 0`,
    )
  const asked = () =>
    live.page.evaluate<number>(`performance.getEntriesByName(location.origin + '/sandbox/changes').length`)
  await setVisibility('hidden')
  const before = await asked()
  await service.call('POST', '/payments', {})
  await live.page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_500))')
  expect(await live.version()).toBe(1)
  expect(await asked()).toBe(before)
  await setVisibility('visible')
  await expect.poll(live.version).toBe(2)
})
