import { expect, test } from 'vitest'
import {
  addFault,
  advance,
  changeSettings,
  clearFaults,
  createPayment,
  HOUR_MS,
  loggedIn,
  newFolder,
  openService,
  settledPayment,
  toJson,
} from '../service.ts'
import { control } from '../controls/call-control.ts'
import type { Service } from '../service.ts'

async function look(service: Service, after?: string) {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
  const { body } = await control(service, 'GET', `/sandbox/changes${query}`)
  const { position, changed, requests } = toJson(body)
  const paths = Array.isArray(requests) ? requests.map(({ path }) => String(path)) : []
  return { position: String(position), changed, paths, requests }
}

const get = (service: Service, path: string) => service.call('GET', path)

test('tells which requests arrived since a position, as the log shows them, oldest first', async () => {
  const service = await openService()
  await get(service, '/payments/earlier')
  const start = await look(service)
  expect(start).toMatchObject({ changed: true, paths: [] })
  expect(await look(service, start.position)).toEqual({ ...start, changed: false })
  for (const path of ['/payments/p1', '/payments/p2']) await get(service, path)
  const next = await look(service, start.position)
  expect(next).toMatchObject({ changed: false, paths: ['/payments/p1', '/payments/p2'] })
  const inLog = JSON.stringify((await loggedIn(service, 2)).toReversed())
  expect(next.requests).toEqual(JSON.parse(inLog))
  expect(await look(service, next.position)).toMatchObject({ changed: false, paths: [] })
})

test('tells all of many requests, a thousand at a time', async () => {
  const service = await openService()
  const paths = Array.from({ length: 2_400 }, (_, at) => `/payments/p${at}`)
  let { position } = await look(service)
  for (let at = 0; at < paths.length; at += 300)
    await Promise.all(paths.slice(at, at + 300).map((path) => get(service, path)))
  const seen = []
  for (
    let next = await look(service, position);
    next.paths.length > 0;
    next = await look(service, position)
  ) {
    seen.push(next.paths)
    position = next.position
  }
  expect(seen.map(({ length }) => length)).toEqual([1_000, 1_000, 400])
  expect(seen.flat().toSorted()).toEqual(paths.toSorted())
})

test.each<[string, (service: Service) => Promise<unknown>]>([
  ['the clock', (service) => advance(service, HOUR_MS)],
  ['a fault', (service) => addFault(service, { on: 'GET /nothing' })],
  ['the end of all faults', clearFaults],
  ['a setting', (service) => changeSettings(service, { threeDSecure: 'never' })],
  ['a reset', (service) => service.sandbox.reset()],
])('tells of a change without a request: %s', async (_, change) => {
  const service = await openService()
  const { position } = await look(service)
  await change(service)
  const next = await look(service, position)
  expect(next).toMatchObject({ changed: true, paths: [] })
  expect(await look(service, next.position)).toMatchObject({ changed: false })
})

test('tells of an event that was due', async () => {
  let now = new Date('2026-03-04T05:06:07.089Z')
  const service = await openService(undefined, 1, () => now)
  await settledPayment(service, 'tok_async')
  const { position } = await look(service)
  now = new Date(now.getTime() + 2 * HOUR_MS)
  expect(await look(service, position)).toMatchObject({ changed: true, paths: [] })
})

test.each(['', 'x', '5', '1.', '0.x.y', '999999.11111111-1111-1111-1111-111111111111.', '1.other.', '-1.x.'])(
  'after the unknown position %j, everything in the log is new',
  async (after) => {
    const service = await openService()
    await get(service, '/payments/p0')
    expect(await look(service, after)).toMatchObject({ changed: true, paths: ['/payments/p0'] })
  },
)

test('after the log was emptied and filled again, everything in it is new', async () => {
  const service = await openService()
  await get(service, '/payments/p0')
  const { position } = await look(service)
  await control(service, 'DELETE', '/sandbox/requests')
  for (const path of ['/payments/p1', '/payments/p2']) await get(service, path)
  expect(await look(service, position)).toMatchObject({
    changed: true,
    paths: ['/payments/p1', '/payments/p2'],
  })
})

test('starts with the present if the log has dropped what comes next', async () => {
  const service = await openService()
  const { position } = await look(service)
  const entry = { at: '', requestId: 'r', method: 'GET', path: '/', applied: false }
  for (const count of [1, 10_000])
    await service.sandbox.write(({ store }) =>
      store.requests.append(
        Array.from({ length: count }, () => entry),
        [],
      ),
    )
  const next = await look(service, position)
  expect(next).toMatchObject({ changed: true, paths: [] })
  await get(service, '/payments/last')
  expect((await look(service, next.position)).paths).toEqual(['/payments/last'])
})

test('tells what another process does to the folder', async () => {
  const folder = newFolder()
  const [service, other] = [await openService(folder), await openService(folder, 2)]
  const { position } = await look(service)
  await createPayment(other, 'tok_visa')
  await advance(other, HOUR_MS)
  expect(await look(service, position)).toMatchObject({ changed: true, paths: ['/payments'] })
})

test('refuses a query that it does not know', async () => {
  const service = await openService()
  expect(await control(service, 'GET', '/sandbox/changes?since=1')).toMatchObject({ status: 422 })
})
