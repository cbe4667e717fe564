import { afterEach, beforeEach, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { atDesk } from './at-desk.ts'
import { KEYS } from '../../support/prompt-terminal.ts'
import { createBench } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { serviceOf, writesIn } from './desk-service.ts'

let bench: Bench
beforeEach(async () => {
  bench = createBench()
  await storeProfile(bench)
})
afterEach(() => bench.dispose())

/** A service whose responses to writes are lost. */
function losingWrites(isLost: () => boolean) {
  const { service } = serviceOf(undefined, ({ method }) => {
    if (method === 'GET' || !isLost()) return undefined
    throw new TransportFailure('cut', true, 'socket hang up')
  })
  return service
}

const [CTRL_P, CTRL_T] = ['\u0010', '\u0014']

test('a lost response is in doubt: first in the menu, on top of attention, and exit 10 until it is resolved', async () => {
  let isLost = true
  const service = losingWrites(() => isLost)
  const desk = atDesk(bench, 'desk A-3 --max-retries 0', { service })
  await desk.see('1 found by the service')
  desk.type(KEYS.enter)
  await desk.see('x  cancel')
  desk.type('x')
  await desk.answer('(y/N)', `y${KEYS.enter}`)
  await desk.see('> s  resolve payment.cancel, which is in doubt')
  expect(desk.terminal.screen()).toContain('c  capture – find the outcome of the write above first')
  desk.type(KEYS.escape)
  await desk.see('test shop · 1 needs attention')
  desk.type(CTRL_T)
  await desk.see('> ? IN DOUBT cancel')
  desk.type(KEYS.ctrlC)
  const left = await desk.ended
  expect(left.exitCode).toBe(10)
  expect(left.stderr).toContain('payment.cancel on p3ccccccc is still in doubt')
  expect(left.stderr).not.toContain('try again')
  const help = await bench.runPay([])
  expect(help.stdout).toMatch(/^1 write of this machine is in doubt: pay desk/)

  isLost = false
  const again = atDesk(bench, 'desk', { service })
  await again.see('1 needs attention')
  again.type(CTRL_T)
  await again.see('> ? IN DOUBT cancel')
  again.type(KEYS.enter)
  await again.see('> s  resolve')
  again.type(KEYS.enter)
  await again.answer('(y/N)', `y${KEYS.enter}`)
  await again.see('x  cancel')
  again.type(KEYS.escape)
  await again.see('nothing needs attention')
  again.type(KEYS.escape)
  await again.see('Esc leave')
  again.type(KEYS.escape)
  const ended = await again.ended
  expect(ended.exitCode).toBe(0)
  expect(writesIn(ended)).toHaveLength(1)
})

test('a write that could not be resolved here is in doubt at the end, and others are left alone', async () => {
  let isLost = true
  const service = losingWrites(() => isLost)
  await bench.runPay('payment cancel p3ccccccc --yes --max-retries 0', { service })
  const left = await atDesk(bench, 'desk', { service }).interrupt()
  expect(left.exitCode).toBe(130)
  expect(left.stderr).toContain('Nothing you did here is in doubt')

  const desk = atDesk(bench, 'desk p3ccccccc --max-retries 0', { service })
  await desk.see('1 found by')
  desk.type(KEYS.enter)
  await desk.see('> s  resolve')
  desk.type('s')
  await desk.answer('(y/N)', `y${KEYS.enter}`)
  await desk.see('Yes\ntest shop')
  isLost = false
  const ended = await desk.interrupt()
  expect(ended.exitCode).toBe(10)
  expect(ended.stderr).toContain('payment.cancel on p3ccccccc is still in doubt')
})

test('a doubt is not forgotten with another profile', async () => {
  await storeProfile(bench, { name: 'other' })
  const service = losingWrites(() => true)
  const desk = atDesk(bench, 'desk A-3 --profile shop --max-retries 0', { service })
  await desk.see('1 found by the service')
  desk.type(KEYS.enter)
  await desk.see('x  cancel')
  desk.type('x')
  await desk.answer('(y/N)', `y${KEYS.enter}`)
  await desk.see('> s  resolve')
  desk.type(KEYS.escape)
  await desk.see('1 needs attention')
  desk.type(CTRL_P)
  await desk.see('> shop')
  desk.type(KEYS.down)
  await desk.see('> other')
  desk.type(KEYS.enter)
  await desk.see('test other')
  desk.type(KEYS.ctrlC)
  expect((await desk.ended).exitCode).toBe(10)
})
