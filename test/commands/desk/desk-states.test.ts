import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { atDesk } from './at-desk.ts'
import { envelope } from '../../support/error-envelope.ts'
import { KEYS } from '../../support/prompt-terminal.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { paymentOf, serviceOf, writesIn } from './desk-service.ts'

let bench: Bench
beforeEach(async () => {
  bench = createBench()
  await storeProfile(bench)
})
afterEach(() => bench.dispose())

const [CTRL_L, CTRL_O, CTRL_P, CTRL_R, CTRL_T] = ['\u000c', '\u000f', '\u0010', '\u0012', '\u0014']

describe('the list says', () => {
  test('which filters were tried if nothing was found', async () => {
    const desk = atDesk(bench, 'desk order:B-9', serviceOf())
    await desk.see('Nothing found by the service (order B-9)')
    await desk.interrupt()
  })

  test('that a service ignores a filter, and shows only what fits', async () => {
    const { listed } = serviceOf()
    const service = () => jsonAnswer(200, { data: listed })
    const desk = atDesk(bench, 'desk order:A-2', { service })
    await desk.see('The service ignored order_id: 3 payments were checked here')
    expect(desk.terminal.screen()).not.toContain('A-1')
    await desk.interrupt()
  })

  test.each([
    [
      'a 429',
      () => jsonAnswer(429, envelope('RateLimited'), { 'retry-after': '30' }),
      'too many requests (429)',
    ],
    [
      'no connection',
      () => {
        throw new TransportFailure('refused', false, 'connect ECONNREFUSED')
      },
      'Offline:',
    ],
    ['a server error', () => jsonAnswer(500, envelope('Oops')), '^R'],
  ] as const)('%s, and keeps the rows with their time', async (_, answer, words) => {
    let isBroken = false
    const { service } = serviceOf(undefined, () => (isBroken ? answer() : undefined))
    const desk = atDesk(bench, 'desk', { service })
    await desk.see('3 newest · read 12:00')
    isBroken = true
    desk.type(CTRL_R)
    await desk.see(words)
    await desk.see('3 newest · read 12:00')
    expect(desk.terminal.screen()).toContain('p1aaaaaaa')
    await desk.interrupt()
  })

  test('the words that no payment can fit, and asks nothing for them', async () => {
    const desk = atDesk(bench, ['desk', '4111111111111111'], serviceOf())
    await desk.see('ending in 1111')
    expect((await desk.interrupt()).requests).toEqual([])
  })
})

test('a refused key ends it with 4', async () => {
  const desk = atDesk(bench, 'desk', { service: () => jsonAnswer(401, envelope('Unauthorized')) })
  const ended = await desk.ended
  expect(ended.exitCode).toBe(4)
  expect(ended.stderr).toContain('pay profile set shop --api-key-stdin')
})

test('why a payment could not be read is never broken inside a word', async () => {
  let isBroken = false
  let refused = 0
  const { service } = serviceOf(undefined, () => {
    if (!isBroken) return undefined
    refused += 1
    throw new TransportFailure('refused', false, '127.0.0.1:443 refused the connection')
  })
  const desk = atDesk(bench, 'desk A-3 --max-retries 0', { service, columns: 60 })
  await desk.see('1 found by the service')
  isBroken = true
  desk.type(KEYS.enter)
  await expect.poll(() => refused).toBe(1)
  await desk.wait(200)
  expect((await desk.interrupt()).stderr).toContain(
    'Payment p3ccccccc could not be read. Nothing was sent:\n127.0.0.1:443 refused the connection\n',
  )
})

test('pay alone names the desk in its first lines, and opens no ledger that is not there', async () => {
  const help = await bench.runPay([], { withLedger: () => expect.unreachable() })
  expect(help.stdout.split('\n').slice(0, 3).join('\n')).toContain('pay desk')
})

test('attention lists what waits for the customer, recent declines, and refunds that failed later', async () => {
  const failed = {
    ...paymentOf('p7failedd', 'A-7'),
    transactions: [
      { transactionType: 'REFUND', processorStatus: 'FAILED', amount: 500, date: '2026-03-01T11:59:00' },
    ],
  }
  const { service } = serviceOf([
    failed,
    paymentOf('p4pending', 'A-4', 'PENDING'),
    paymentOf('p5decline', 'A-5', 'DECLINED'),
    { ...paymentOf('p6olddecl', 'A-6', 'DECLINED'), date: '2026-02-25T11:58:00.000000' },
  ])
  await bench.runPay('payment refund p7failedd --amount 500', { service })
  const desk = atDesk(bench, 'desk', { service })
  await desk.see('4 newest')
  desk.type(CTRL_T)
  await desk.see('Ledger: this machine only')
  const rows = desk.terminal.screen()
  expect(rows).toMatch(/✗ refund failed +p7failedd +5\.00 EUR +A-7/)
  expect(rows).toMatch(/… awaits customer +p4pending/)
  expect(rows).toMatch(/✗ declined +p5decline/)
  expect(rows).not.toContain('p6olddecl')
  const { requests } = await desk.interrupt()
  expect(requests.filter(({ url }) => url.includes('status='))).toHaveLength(2)
})

test('Ctrl-O looks further, Ctrl-L prints what was done here, Ctrl-P changes the profile', async () => {
  await storeProfile(bench, { name: 'other', mode: 'live' })
  const desk = atDesk(bench, 'desk order:A-1', serviceOf())
  await desk.see('1 found by the service')
  desk.type(CTRL_O)
  await desk.see('Looked through all 3 payments')
  desk.type(CTRL_L)
  await desk.see('^O less wide')
  desk.type(CTRL_P)
  await desk.see('> shop')
  desk.type(KEYS.down)
  await desk.see('> other')
  desk.type(KEYS.enter)
  await desk.see('LIVE other')
  const left = await desk.interrupt()
  expect(left.stderr).toContain('Done here\n  Nothing yet.')
})

test('idle, it draws nothing and asks nothing', async () => {
  const desk = atDesk(bench, 'desk', serviceOf())
  await desk.see('3 newest')
  const drawn = desk.terminal.raw().length
  await desk.wait(1_000)
  expect(desk.terminal.raw().length).toBe(drawn)
  expect((await desk.interrupt()).requests).toHaveLength(1)
})

test('a resize draws it once more, at the new width', async () => {
  const desk = atDesk(bench, 'desk', serviceOf())
  await desk.see('3 newest')
  Object.assign(desk.terminal.streams.output, { columns: 44 })
  desk.terminal.streams.output.emit('resize')
  await desk.see('3 newest')
  const lines = desk.terminal.screen().split('\n')
  expect(lines.filter((line) => line.startsWith('? Search:'))).toHaveLength(1)
  expect(lines.filter((line) => line.length > 44)).toEqual([])
  await desk.interrupt()
})

test('on a plain terminal, numbered lists in the same words are only ever added to', async () => {
  const desk = atDesk(bench, 'desk', { ...serviceOf(), isPlain: true })
  await desk.see('? Search: (#1 for the first')
  expect(desk.terminal.screen()).toContain(' #2  p2bbbbbbb  50.00 EUR')
  desk.type('A-2\n')
  await desk.see('1 found by the service')
  desk.type('#1\n')
  await desk.see('#1  r  refund up to 50.00 EUR')
  desk.type('r\n')
  await desk.see('? Amount')
  desk.type('25.00\n')
  await desk.see('? Reason')
  desk.type('\n')
  await desk.see('test profile shop? y/N')
  desk.type('y\n')
  const ended = await desk.pressUntilItEnds('\n')
  expect(ended.exitCode).toBe(0)
  expect(writesIn(ended)).toEqual(['{"amount":2500}'])
  expect(desk.terminal.raw()).not.toContain('\u001b')
})
