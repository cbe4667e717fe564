import { expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

async function capturedPayment(): Promise<string> {
  const created = await bench.runPay(
    "--sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1 -o id",
  )
  const id = created.stdout.trim()
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  return id
}

test('refunds part of a capture', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id} --amount 300`)
  expect(refund.exitCode).toBe(0)
  expect(refund.stdout).toContain('3.00 EUR')
  expect(refund.requests.map((request) => request.body)).toEqual(['{"amount":300}'])
})

test('asks for a missing amount', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id}`, { answers: { Amount: '2.50' } })
  expect(refund.stderr).toContain('Refunded')
  expect(refund.requests.at(-1)?.body).toBe('{"amount":250}')
})

test('asks for a reason with the amount, and Enter skips it', async () => {
  const id = await capturedPayment()
  const words = `--sandbox payment refund ${id}`
  const skipped = await bench.runPay(words, { answers: { Amount: '2.50', Reason: '' } })
  expect(skipped.questions).toEqual(['Amount', 'Reason'])
  expect(skipped.requests.at(-1)?.body).toBe('{"amount":250}')
  const given = await bench.runPay(words, { answers: { Amount: '1.00', Reason: ' broken ' } })
  expect(given.requests.at(-1)?.body).toBe('{"amount":100,"reason":"broken"}')
  expect(JSON.parse((await bench.runPay('ops list --json')).stdout)).toMatchObject([
    { reason: 'broken' },
    {},
    {},
    {},
  ])
})

test.each(['--amount 250', '--yes', '--reason broken'])('asks for no reason with %s', async (flags) => {
  const id = await capturedPayment()
  const answers: Record<string, string> = flags.startsWith('--reason') ? { Amount: '2.50' } : {}
  const refund = await bench.runPay(`--sandbox payment refund ${id} ${flags}`, { answers, tty: true })
  expect(refund).toMatchObject({ exitCode: 0, questions: Object.keys(answers) })
})

test('refuses a refund above the remaining amount', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id} --amount 1001`)
  expect(refund.exitCode).toBe(3)
  expect(refund.stdout).toBe('')
  expect(refund.stderr).toContain('The amount is more than what is left to refund')
})

test('resends with the same key and body if the response is lost', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id} --amount 300`, {
    service: (_, attempt) =>
      attempt === 1 ? jsonAnswer(503, {}) : jsonAnswer(200, { id, status: 'SETTLED' }),
  })
  expect(refund.exitCode).toBe(0)
  const [first, second] = refund.requests
  expect(second).toEqual(first)
  expect(first?.headers['x-idempotency-key']).toBeDefined()
})
