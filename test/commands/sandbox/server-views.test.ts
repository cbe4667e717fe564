import { describe, expect, test } from 'vitest'
import { plainPaint } from '../../../src/output/paint.ts'
import {
  readyServerView,
  serverListView,
  stoppedServersView,
} from '../../../src/commands/sandbox/server-views.ts'

const server = {
  id: 's1',
  machine: 'here',
  host: '127.0.0.1',
  port: 4010,
  version: '0.2.0',
  url: 'http://127.0.0.1:4010',
  dashboardUrl: 'http://127.0.0.1:4010/dashboard',
  checkoutUrl: 'http://127.0.0.1:4010/checkout',
  pid: 4711,
  dataDir: '/home/jo/.local/state/payctl/sandbox',
  ephemeral: false,
  idempotency: 'reject',
  startedAt: '2026-11-20T15:36:16.367Z',
  apiKeys: ['sandbox_all', 'sandbox_readonly'],
}
const fresh = {
  ...server,
  url: 'http://[::1]:53124',
  dashboardUrl: 'http://[::1]:53124/dashboard',
  checkoutUrl: 'http://[::1]:53124/checkout',
  pid: 71,
  dataDir: '/tmp/pay-sandbox-Xy12Zz',
  ephemeral: true,
  idempotency: 'replay',
}

const at = (width: number) => ({ paint: plainPaint, width, timeZone: 'America/New_York' })

const CASES = [
  ['sandbox-server', (width: number) => readyServerView('Ctrl-C').render(server, at(width))],
  ['sandbox-server-fresh', (width: number) => readyServerView('pay sandbox stop').render(fresh, at(width))],
  ['sandbox-server-list', (width: number) => serverListView.render([server, fresh], at(width))],
  ['sandbox-server-list-empty', (width: number) => serverListView.render([], at(width))],
  ['sandbox-server-stopped', (width: number) => stoppedServersView.render([server, fresh], at(width))],
] as const

describe.each([80, 60])('at %i columns', (width) => {
  test.each(CASES)('shows %s', async (name, render) => {
    await expect(`${render(width)}\n`).toMatchFileSnapshot(`../../golden/views/${name}-${width}.txt`)
  })
})

test('lists the URLs as ids', () => {
  expect(readyServerView('').ids(server)).toEqual([server.url])
  expect(serverListView.ids([server, fresh])).toEqual([server.url, fresh.url])
})

test('shows no control characters from a folder name', () => {
  const evil = { ...server, dataDir: '/tmp/\u001B[2J\u202E' }
  const texts = [readyServerView('').render(evil, at(80)), serverListView.render([evil], at(80))]
  expect(texts.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
