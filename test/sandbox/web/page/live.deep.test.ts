import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { browserTest } from '../../../support/browser.ts'
import type { Page, TestBrowser } from '../../../support/browser.ts'
import { newFolder, openService } from '../../service.ts'
import { openPages } from '../served-pages.ts'
import { loadInto } from './bundled-page.ts'

const LOST = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/

/** Starts the live client in a page; `paths()` are all requests that it reported. */
async function startLive(page: Page, options = 'undefined') {
  await loadInto(page, 'page/live.ts')
  await page.evaluate(`
    globalThis.seen = { paths: [], versions: 0, states: [] }
    const { live, startLive } = subject
    live.latest.subscribe((entries) => seen.paths.push(...entries.map(({ path }) => path)))
    live.version.subscribe((version) => { seen.versions = version })
    live.state.subscribe((state) => seen.states.push(state))
    globalThis.endLive = startLive(${options})
    0
  `)
  return {
    paths: () => page.evaluate<string[]>('seen.paths'),
    version: () => page.evaluate<number>('seen.versions'),
    state: () => page.evaluate<string>('seen.states.at(-1)'),
    states: () => page.evaluate<string[]>('seen.states'),
  }
}

const openBlank = async (browser: TestBrowser, origin: string) =>
  browser.open(`${origin}/checkout`, { tolerates: LOST })

browserTest(
  'a page learns of requests and changes, of this server and of other processes',
  async ({ browser }) => {
    const service = await openPages()
    const live = await startLive(await openBlank(browser, service.server.url))
    await expect.poll(live.state).toBe('live')
    const before = await live.version()
    await service.call('POST', '/payments', {})
    await expect.poll(live.version).toBeGreaterThan(before)
    expect(await live.paths()).toEqual(['/payments'])
    const other = await openService(service.folder, 2)
    const between = await live.version()
    await other.sandbox.clock.advance(1_000)
    await expect.poll(live.version).toBeGreaterThan(between)
  },
)

browserTest('a read is reported, but does not make pages fetch again', async ({ browser }) => {
  const service = await openPages()
  const live = await startLive(await openBlank(browser, service.server.url))
  await expect.poll(live.version).toBe(1)
  await service.call('GET', '/payments')
  await expect.poll(live.paths).toEqual(['/payments'])
  expect(await live.version()).toBe(1)
  await service.sandbox.faults.add({ on: 'GET /payments', do: 'status=503', rate: 1, seed: 1, skip: 0 })
  await expect.poll(live.version).toBe(2)
  await service.call('GET', '/payments')
  // It met a fault, which counts.
  await expect.poll(live.version).toBe(3)
})

browserTest(
  'many requests change the signals a few times, and none is lost or repeated',
  async ({ browser }) => {
    const service = await openPages()
    const live = await startLive(await openBlank(browser, service.server.url))
    await expect.poll(live.state).toBe('live')
    const paths = Array.from({ length: 900 }, (_, at) => `/payments/p${at}/capture`)
    for (let at = 0; at < 900; at += 30)
      await Promise.all(paths.slice(at, at + 30).map((path) => service.call('POST', path)))
    await expect.poll(async () => (await live.paths()).length).toBe(900)
    expect((await live.paths()).toSorted()).toEqual(paths.toSorted())
    expect(await live.version()).toBeLessThan(100)
  },
)

browserTest('a page follows a server that ends and comes back, and misses nothing', async ({ browser }) => {
  const folder = newFolder()
  const first = await openPages({}, { folder })
  const live = await startLive(await openBlank(browser, first.server.url))
  await expect.poll(live.state).toBe('live')
  await first.call('GET', '/payments/before')
  await expect.poll(live.paths).toEqual(['/payments/before'])
  await first.server.close()
  await expect.poll(live.state).toBe('broken')
  await first.call('GET', '/payments/meanwhile').catch(() => undefined)
  const other = await openService(folder, 2)
  await other.sandbox.handle({ method: 'GET', url: '/payments/by-other', headers: {}, body: undefined })
  const second = await openPages({ port: first.server.port }, { folder, seed: 3 })
  await expect.poll(live.state).toBe('live')
  await second.call('GET', '/payments/after')
  await expect.poll(live.paths).toEqual(['/payments/before', '/payments/by-other', '/payments/after'])
})

/** A server that answers each request for events as a test says, and serves an empty page otherwise. */
async function scripted(
  answer: (response: ServerResponse, count: number, headers: Readonly<Record<string, unknown>>) => void,
) {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    if (request.url === '/sandbox/events') return answer(response, (count += 1), request.headers)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>x</title><link rel="icon" href="data:,">')
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${Object(server.address()).port}`, count: () => count }
}

const STREAM = { 'content-type': 'text/event-stream' }

browserTest('a break in the middle of an event repeats nothing', async ({ browser }) => {
  const ids: unknown[] = []
  let cut: () => void = () => undefined
  const event = (id: number) =>
    `id: ${id}.x\nevent: requests\ndata: [{"method":"GET","path":"/p${id}","applied":false}]\n\n`
  const server = await scripted((response, count, headers) => {
    ids.push(headers['last-event-id'])
    response.writeHead(200, STREAM)
    if (count > 1) return void response.write(event(2) + event(3))
    response.write(event(1) + event(2).slice(0, 40))
    cut = () => response.destroy()
  })
  const live = await startLive(await openBlank(browser, server.url))
  await expect.poll(live.paths).toEqual(['/p1'])
  cut()
  await expect.poll(live.paths).toEqual(['/p1', '/p2', '/p3'])
  expect(ids).toEqual([undefined, '1.x'])
})

browserTest('a refused key is asked for once, and the next one is used', async ({ browser }) => {
  const keys: unknown[] = []
  const server = await scripted((response, _, headers) => {
    keys.push(headers['x-api-key'])
    if (headers['x-api-key'] !== 'right') return void response.writeHead(401).end()
    response.writeHead(200, STREAM)
    response.write('id: 1.x\nevent: changed\ndata: {}\n\n')
  })
  const page = await openBlank(browser, server.url)
  const live = await startLive(
    page,
    `{ key: () => globalThis.key ?? 'wrong', onRefusedKey: async () => { globalThis.key = 'right'; return true } }`,
  )
  await expect.poll(live.state).toBe('live')
  expect(keys).toEqual(['wrong', 'right'])
})

browserTest('without another key it gives up', async ({ browser }) => {
  const server = await scripted((response) => void response.writeHead(401).end())
  const live = await startLive(
    await openBlank(browser, server.url),
    `{ key: () => 'wrong', onRefusedKey: async () => false }`,
  )
  await expect.poll(live.state).toBe('broken')
  expect(server.count()).toBe(1)
})

browserTest('a page in the background leaves its connection to others', async ({ browser }) => {
  const closed: number[] = []
  const server = await scripted((response, count) => {
    response.on('close', () => closed.push(count))
    response.writeHead(200, STREAM)
    response.write('id: 1.x\nevent: changed\ndata: {}\n\n')
  })
  const page = await openBlank(browser, server.url)
  const live = await startLive(page)
  await expect.poll(live.state).toBe('live')
  const setVisibility = (visibility: string) =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    )
  await setVisibility('hidden')
  await expect.poll(() => closed).toEqual([1])
  await setVisibility('visible')
  await expect.poll(() => server.count()).toBe(2)
  await expect.poll(live.version).toBe(2)
  expect(await live.states()).not.toContain('broken')
})

browserTest('ends its connection on request', async ({ browser }) => {
  let isClosed = false
  const server = await scripted((response) => {
    response.on('close', () => {
      isClosed = true
    })
    response.writeHead(200, STREAM)
    response.write('id: 1.x\nevent: changed\ndata: {}\n\n')
  })
  const page = await openBlank(browser, server.url)
  const live = await startLive(page)
  await expect.poll(live.state).toBe('live')
  await page.evaluate('endLive()')
  await expect.poll(() => isClosed).toBe(true)
  expect(server.count()).toBe(1)
})
