import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { atDesk } from './at-desk.ts'
import { KEYS } from '../../support/prompt-terminal.ts'
import { createBench } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { paymentOf, serviceOf, writesIn } from './desk-service.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.dispose())

test('without a terminal it exits with 2 and names pay find', async () => {
  const refused = await bench.runPay('desk --sandbox')
  expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  expect(refused.stderr).toContain('pay find')
})

test('opens on the account, what needs attention, and the newest payments', async () => {
  await storeProfile(bench, { mode: 'live' })
  const desk = atDesk(bench, 'desk', serviceOf())
  await desk.see('3 newest')
  expect(desk.terminal.screen()).toBe(
    [
      'LIVE shop · nothing needs attention · this machine only',
      '? Search:',
      '  ID            AMOUNT  STATUS        ORDER  CREATED',
      '> p1aaaaaaa  50.00 EUR  ✓ SETTLED     A-1    2026-03-01 11:58',
      '  p2bbbbbbb  50.00 EUR  ✓ SETTLED     A-2    2026-03-01 11:58',
      '  p3ccccccc  50.00 EUR  ✓ AUTHORIZED  A-3    2026-03-01 11:58',
      '3 newest · read 12:00',
      'Enter open  ^R read again  ^T attention  ^O wider  ^P profile  ^L done here  Esc leave',
    ].join('\n'),
  )
  desk.type(KEYS.escape)
  expect(await desk.ended).toMatchObject({ exitCode: 0, stdout: '' })
  expect(desk.terminal.screen()).toBe('')
})

test('opens with a ledger that cannot be read, and says so', async () => {
  await storeProfile(bench)
  writeFileSync(ledgerPath(bench.stateFolder), 'no database'.repeat(1000))
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('test shop · its ledger could not be read · this machine only')
  desk.type('\u0014')
  await desk.see('The ledger is damaged and cannot be read')
  desk.type(KEYS.escape)
  await desk.see('Esc clear')
  desk.type(KEYS.enter)
  await desk.see('x  cancel')
  await desk.interrupt()
})

test('half of a payment is refunded by its order, and the whole command line stays', async () => {
  await storeProfile(bench)
  const desk = atDesk(bench, 'desk', serviceOf())
  await desk.see('3 newest')
  desk.type('A-2')
  await desk.see('1 found by the service (payment or order A-2)')
  desk.type(KEYS.enter)
  await desk.see('r  refund up to 50.00 EUR')
  desk.type('r')
  await desk.see('Amount')
  desk.type(`25.00${KEYS.enter}`)
  await desk.see('Reason')
  desk.type(KEYS.enter)
  await desk.answer('Refund 25.00 EUR of payment p2bbbbbbb on test profile shop?', `y${KEYS.enter}`)
  await desk.see('y  copy a command')
  const left = await desk.interrupt()
  expect(left.exitCode).toBe(130)
  expect(writesIn(left)).toEqual(['{"amount":2500}'])
  expect(left.stderr).toContain('$ pay payment refund p2bbbbbbb\n')
  expect(left.stderr).toContain("✓ Done: pay payment refund p2bbbbbbb --amount '25.00 EUR'\n")
  expect(left.stderr).toContain('c1@example.com')
})

describe('it never sends anything by', () => {
  test('Enter held down through every screen', async () => {
    await storeProfile(bench)
    const desk = atDesk(bench, 'desk', serviceOf())
    await desk.see('3 newest')
    await desk.hold(KEYS.enter, 1_500)
    await desk.wait(400)
    await desk.hold(KEYS.enter, 1_500)
    expect(writesIn(await desk.interrupt())).toEqual([])
  })

  test.each([`25.00${KEYS.enter}y${KEYS.enter}`, `${KEYS.enter}${KEYS.enter}y${KEYS.enter}`, 'yyyy'])(
    'keys that were typed ahead of the question: %j',
    async (ahead) => {
      await storeProfile(bench)
      const desk = atDesk(bench, 'desk', serviceOf())
      await desk.see('3 newest')
      desk.type(KEYS.enter)
      await desk.see('r  refund')
      desk.type(`r${ahead}`)
      for (const key of ahead) {
        desk.terminal.type(key)
        await desk.wait(20)
      }
      await desk.see('Amount')
      expect(desk.terminal.screen()).not.toContain('25')
      expect(writesIn(await desk.interrupt())).toEqual([])
    },
  )

  test.each([0, 100, 299])('an Enter that comes %i ms after the question', async (ms) => {
    await storeProfile(bench)
    const desk = atDesk(bench, 'desk A-3', serviceOf())
    await desk.see('1 found by the service')
    desk.type(KEYS.enter)
    await desk.see('x  cancel')
    desk.type('x')
    await desk.see('(y/N)')
    desk.terminal.type('y')
    desk.clock.ms += ms
    desk.terminal.type(KEYS.enter)
    await desk.wait(50)
    expect(desk.terminal.screen()).toContain('(y/N) y')
    await desk.answer('(y/N) y', KEYS.enter)
    await desk.see('y  copy a command')
    expect(writesIn(await desk.interrupt())).toHaveLength(1)
  })

  test('an answer that is not yes', async () => {
    await storeProfile(bench)
    const desk = atDesk(bench, 'desk A-3', serviceOf())
    await desk.see('1 found by the service')
    desk.type(KEYS.enter)
    await desk.see('x  cancel')
    desk.type('x')
    await desk.answer('(y/N)', KEYS.enter)
    await desk.see('y  copy a command')
    const left = await desk.interrupt()
    expect(writesIn(left)).toEqual([])
    expect(left.stderr).toContain('✗ Not done (2): pay payment cancel p3ccccccc\n')
  })
})

test('Enter opens the row that was drawn, even if it has moved since', async () => {
  await storeProfile(bench)
  const { listed, service } = serviceOf()
  const desk = atDesk(bench, 'desk', { service })
  await desk.see('> p1aaaaaaa')
  listed.unshift(paymentOf('p0newnewn', 'A-0'))
  desk.type(`\u0012${KEYS.enter}`)
  await desk.see('payment p1aaaaaaa')
  await desk.interrupt()
})

test('Ctrl-C ends an action, and nothing after it', async () => {
  await storeProfile(bench)
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('1 found by the service')
  desk.type(KEYS.enter)
  for (const [key, question] of [
    ['c', 'Amount'],
    ['x', '(y/N)'],
  ] as const) {
    await desk.see('y  copy a command')
    desk.type(key)
    await desk.see(question)
    desk.type(KEYS.ctrlC)
  }
  await desk.see('y  copy a command')
  desk.type('x')
  const question = '? Cancel payment p3ccccccc on test profile shop? (y/N)'
  await desk.answer(`${question}\n${question}`, `y${KEYS.enter}`)
  await desk.see('y  copy a command')
  const left = await desk.interrupt()
  expect(left.exitCode).toBe(130)
  expect(left.stderr.match(/Not done \(130\)/g)).toHaveLength(2)
  expect(writesIn(left)).toHaveLength(1)
})

test('an equal write is asked about first, and no flag that repeats it is named', async () => {
  await storeProfile(bench, { mode: 'live' })
  const { service } = serviceOf()
  await bench.runPay('payment refund p1aaaaaaa --amount 500 --yes', { service })
  const desk = atDesk(bench, 'desk A-1', { service })
  await desk.see('1 found by the service')
  desk.type(KEYS.enter)
  await desk.see('r  refund')
  desk.type('r')
  await desk.see('Amount')
  desk.type(`5.00${KEYS.enter}`)
  await desk.see('Reason')
  desk.type(KEYS.enter)
  await desk.answer('The same write was done', KEYS.enter)
  await desk.see('y  copy a command')
  const left = await desk.interrupt()
  expect(writesIn(left)).toEqual([])
  expect(left.stderr).not.toContain('--again')
})

test("after 30 minutes without a key on a live profile, an action asks for the profile's name", async () => {
  await storeProfile(bench, { mode: 'live' })
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('1 found by the service')
  bench.clock.now = new Date(bench.clock.now.getTime() + 30 * 60_000)
  desk.type(KEYS.enter)
  await desk.see('x  cancel')
  for (const typed of ['y', 'shop']) {
    desk.type('x')
    await desk.see('? Cancel payment p3ccccccc on LIVE profile shop? (type')
    desk.type(`${typed}${KEYS.enter}`)
    await desk.see('y  copy a command')
  }
  expect(writesIn(await desk.interrupt())).toHaveLength(1)
})

test('nothing is run if the profile has changed since the title was drawn', async () => {
  await storeProfile(bench)
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('1 found by the service')
  desk.type(KEYS.enter)
  await desk.see('x  cancel')
  await bench.runPay('profile set shop --live')
  desk.type('x')
  await desk.see('LIVE shop · payment p3ccccccc')
  const left = await desk.interrupt()
  expect(writesIn(left)).toEqual([])
  expect(left.stderr).toContain('The profile has changed: test shop')
})
