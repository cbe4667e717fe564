import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { STORED_KEY } from '../../support/stored-profile.ts'

const CARD = '4111111111111111'
const TOKEN = 'tok-very-secret-0123456789'
const PAYMENT = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', amount: 1_000 }

const bench = useBench({})
const pay = (words: readonly string[], options: RunOptions = {}) =>
  bench.runPay(words, { service: () => jsonAnswer(200, PAYMENT), ...options })
const reasons = async () =>
  JSON.parse((await bench.runPay('ops list --json')).stdout).map(
    (record: { readonly reason: unknown }) => record.reason,
  )
const recordedText = () => readFileSync(ledgerPath(bench.stateFolder), 'latin1')

test.each([
  [['payment', 'capture', 'p1'], false],
  [['payment', 'refund', 'p1'], true],
  [['payment', 'cancel', 'p1'], true],
  [['payment', 'adjust', 'p1', '--amount', '5'], false],
  [['session', 'create'], false],
  [['observability', 'update', 'rec-1', '--amount', '5'], false],
  [['instrument', 'default', TOKEN], false],
  [
    ['loyalty', 'refund', '--connection-id', 'c', '--customer-id', 'x', '--order-id', 'o', '--value', '5'],
    false,
  ],
  [['api', 'POST', '/unknown'], false],
])('of %s is recorded in the ledger, and sent only if the API has the field', async (words, isSent) => {
  const done = await pay([...words, '--reason', 'sold out'])
  expect(done.exitCode).toBe(0)
  expect(await reasons()).toEqual(['sold out'])
  const write = done.requests.findLast(({ method }) => method !== 'GET')
  expect(write?.body?.includes('sold out') ?? false).toBe(isSent)
})

test('is null if none was given', async () => {
  await pay(['payment', 'capture', 'p1'])
  expect(await reasons()).toEqual([null])
})

test('is recorded on one line and sent as written', async () => {
  const done = await pay(['payment', 'refund', 'p1', '--reason', 'torn,\n  and\twet '])
  expect(await reasons()).toEqual(['torn, and wet'])
  expect(JSON.parse(done.requests[0]?.body ?? '')).toEqual({ reason: 'torn,\n  and\twet ' })
})

test.each([
  ['a card number', `paid with ${CARD}`, CARD],
  ['the API key', `key ${STORED_KEY}`, STORED_KEY],
])('with %s is recorded without it, and its body is not recorded', async (_, reason, secret) => {
  const held: string[] = []
  await pay(['payment', 'refund', 'p1', '--amount', '5', '--reason', reason, '--max-retries', '0'], {
    service: () => {
      held.push(recordedText())
      return jsonAnswer(504, {})
    },
  })
  expect(held).toHaveLength(1)
  expect(held.join('') + recordedText()).not.toContain(secret)
  expect(recordedText()).toMatch(/paid with \[card number\]|key \[redacted\]/)
  const resolved = await bench.runPay('ops resolve --all', {
    service: () => {
      throw new Error('a request that was not recorded cannot be resent')
    },
  })
  expect(resolved.requests).toEqual([])
  expect((await bench.runPay('ops list --json')).stdout).toContain('in-doubt')
})

test("an unchecked body is recorded only if the operation's schema accepts it", async () => {
  const bodyKept = async (id: string, extra: readonly string[]) => {
    await pay(['payment', 'refund', id, '--amount', '5', '--no-validate', '--max-retries', '0', ...extra], {
      service: () => jsonAnswer(504, {}),
    })
    return recordedText().includes(`\\"amount\\":5`)
  }
  expect(await bodyKept('p1', ['--set', 'customer.emailAddress=ada@example.com'])).toBe(false)
  expect(recordedText()).not.toContain('ada@')
  expect(await bodyKept('p2', [])).toBe(true)
})

test('leaves out a token that was given to the command', async () => {
  await pay(['instrument', 'delete', TOKEN, '--reason', `no longer ${TOKEN}`])
  expect(await reasons()).toEqual(['no longer [redacted]'])
})

test.each([
  ['a control character', 'torn\u001B[2J'],
  ['more than 500 characters', 'x'.repeat(501)],
])('with %s is refused: nothing is sent', async (_, reason) => {
  const refused = await pay(['payment', 'capture', 'p1', '--reason', reason, '--json'])
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(JSON.parse(refused.stderr.trim())).toMatchObject({ error: { code: 'bad_value' } })
  expect((await pay(['payment', 'capture', 'p1', '--reason', 'x'.repeat(500)])).exitCode).toBe(0)
})
