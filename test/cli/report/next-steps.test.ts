import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jsonAnswer, splitWords } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const ENV = { PAY_API_KEY: 'key-0123456789abcdef' }
const HERE = '--base-url http://127.0.0.1:9 --api-version 2021-09-27'

test('a used key is reported as done by an earlier call, never as "nothing was changed"', async () => {
  const created = await bench.runPay(
    "--sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1 -o id",
  )
  const id = created.stdout.trim()
  await bench.runPay(`--sandbox payment capture ${id}`)
  const refund = `--sandbox payment refund ${id} --amount 300 --idempotency-key ticket-7`
  expect((await bench.runPay(refund)).exitCode).toBe(0)
  const again = await bench.runPay(refund)
  expect(again.exitCode).toBe(6)
  expect(again.stderr).toContain('An earlier call with this idempotency key was processed')
  expect(again.stderr).not.toContain('nothing was changed')
  expect(again.stderr).not.toContain('another key')
  expect(again.stderr).toContain(`pay --sandbox payment get ${id}`)
})

test('suggested commands name the account of the call with its base URL and API version', async () => {
  const lost = await bench.runPay(`${HERE} payment refund p1 --amount 300`, {
    env: ENV,
    service: () => jsonAnswer(500, {}),
  })
  expect(lost).toMatchObject({ exitCode: 10, stderr: expect.stringContaining(`pay ${HERE} payment get p1`) })
})

test('a decline does not claim that nothing was changed', async () => {
  const declined = await bench.runPay(
    "--sandbox payment create --token tok_declined --amount '10.00 EUR' --order-id A-1",
  )
  expect(declined).toMatchObject({ exitCode: 13, stderr: expect.stringContaining('no money moved') })
  expect(declined.stderr).not.toContain('nothing was changed')
})

test('exit 10 names the command that resolves it, with the ledger id', async () => {
  const lost = await bench.runPay(`${HERE} payment refund p1 --amount 300 --json`, {
    env: ENV,
    service: () => jsonAnswer(500, {}),
  })
  const error = errorOf(lost)
  expect(error.next).toEqual([`pay ops resolve ${error.operationId}`, `pay ${HERE} payment get p1`])
  const open = JSON.parse((await bench.runPay('ops list --json')).stdout)
  expect(open).toMatchObject([{ id: error.operationId, state: 'in-doubt', exitCode: 10 }])
})

test('exit 10 of a repeatable call says to type it again, which resolves it', async () => {
  const push = `${HERE} observability update rec-1 --amount 5`
  const lost = await bench.runPay(push, { env: ENV, service: () => jsonAnswer(500, {}) })
  expect(lost).toMatchObject({ exitCode: 10, stderr: expect.stringContaining('Run the same command again') })
  expect(lost.stderr).not.toContain('pay ops resolve')
  const again = await bench.runPay(push, { env: ENV, service: () => jsonAnswer(200, { paymentId: 'rec-1' }) })
  expect(again.exitCode).toBe(0)
  expect(JSON.parse((await bench.runPay('ops list --json')).stdout)).toMatchObject([{ state: 'confirmed' }])
})

test('a confirmation of points names their number and the customer', async () => {
  const env = { PAY_API_KEY: 'key-0123456789abcdef', PAY_BASE_URL: 'https://api.example.com' }
  const points = '--connection-id points-1 --customer-id c-1 --order-id A-1 --value 250'
  for (const [verb, words] of [
    ['redeem', 'Redeem 250 points of customer c-1'],
    ['refund', 'Return 250 points to customer c-1'],
  ] as const) {
    const sentence = `${words} on LIVE profile https://api.example.com?`
    const refused = await bench.runPay(`loyalty ${verb} ${points}`, { env, answers: { [sentence]: false } })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  }
})

test.each([
  [
    'loyalty redeem --connection-id points-1 --customer-id c-1 --order-id A-1 --value 10',
    "the provider's own records",
  ],
  ['session create --order-id A-1', 'At worst, it created something that is never used'],
  ['api POST /some/thing --set a=b', "the provider's own records"],
])('a write that cannot be resolved does not suggest pay ops resolve: %s', async (words, advice) => {
  const lost = await bench.runPay(`${HERE} ${words} --yes --json`, {
    env: ENV,
    service: () => jsonAnswer(500, {}),
  })
  expect(lost.exitCode).toBe(10)
  const error = errorOf(lost)
  expect(error.hint).toContain(advice)
  expect(error.next).toEqual([`pay ops show ${error.operationId}`])
})

test('a repeatable write says to type it again, also from pay api', async () => {
  const lost = await bench.runPay(
    `${HERE} api PATCH /observability/payments/r1 --set descriptor=x --yes --json`,
    { env: ENV, service: () => jsonAnswer(500, {}) },
  )
  expect(errorOf(lost).hint).toContain('Run the same command again')
})

describe('a refused key', () => {
  const refused = () =>
    jsonAnswer(401, {
      error: { errorId: 'Unauthorized', description: 'unknown key', recoverySuggestion: 'Send another key.' },
    })
  const told = async (env: Readonly<Record<string, string>>) =>
    (await bench.runPay('payment get p1', { env, service: refused })).stderr.replaceAll(/\s+/g, ' ')

  test('from a profile: names the profile and how to store another key', async () => {
    await storeProfile(bench)
    const stderr = await told({})
    expect(stderr).toContain('The key came from profile shop.')
    expect(stderr).toContain('pay profile set shop --api-key-stdin')
    expect(stderr).toContain('Send another key.')
  })

  test('from PAY_API_KEY: names the variable and leaves the profile alone', async () => {
    await storeProfile(bench)
    const stderr = await told({ PAY_API_KEY: 'key-0123456789abcdef', PAY_PROFILE: 'shop' })
    expect(stderr).toContain(
      'The key came from the environment variable PAY_API_KEY. Set it to a key for https://api.example.com, or unset PAY_API_KEY to use the key stored in profile shop.',
    )
    expect(stderr).not.toContain('pay profile set')
  })

  test('from PAY_API_KEY_FILE: names the file', async () => {
    const file = join(bench.folder, 'key')
    writeFileSync(file, 'key-0123456789abcdef', { mode: 0o600 })
    const stderr = await told({ PAY_API_KEY_FILE: file, PAY_BASE_URL: 'https://api.example.com' })
    expect(stderr).toContain(
      'The key came from the file that PAY_API_KEY_FILE names. Put a key for https://api.example.com into that file.',
    )
    expect(stderr).not.toContain('unset')
  })

  test('without the scope: names its source too', async () => {
    await storeProfile(bench)
    const ran = await bench.runPay('payment get p1', {
      service: () => jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'needs payments:read' } }),
    })
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'The key came from profile shop. It may lack a scope for this',
    )
  })
})

test.each([
  ['--read-only', 'payment refund p1 --amount 300'],
  ['--operations payment.capture', 'payment refund p1 --amount 300'],
  ["--max-amount '1 USD'", 'payment refund p1 --amount 300'],
  ["--max-amount '1 EUR'", 'payment refund p1 --amount 300'],
])('a limit (%s) says whom to ask, not how to lift it', async (limit, line) => {
  await storeProfile(bench, { mode: 'live', words: splitWords(limit) })
  const ran = await bench.runPay(`${line} --yes`, {
    service: () => jsonAnswer(200, { id: 'p1', status: 'SETTLED', currencyCode: 'EUR' }),
  })
  expect(ran.exitCode).toBe(12)
  expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('Ask the person who set this limit')
  expect(ran.stderr).not.toContain('profile set')
})

test.each(['refund', 'cancel', 'capture'])(
  'a %s that an unknown status forbids says what shows the state, and guesses nothing',
  async (verb) => {
    const refused = await bench.runPay(`${HERE} payment ${verb} p1 --json`, {
      env: ENV,
      service: () => jsonAnswer(400, { error: { errorId: 'InvalidPaymentStatus' } }),
    })
    const { code, hint, next } = errorOf(refused)
    expect({ code, hint, next }).toEqual({ code: 'invalid_status', next: [`pay ${HERE} payment explain p1`] })
  },
)
