import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'

/** Creates and captures a payment in the sandbox and returns its id. */
export async function createCaptured(bench: Bench, token: string): Promise<string> {
  const created = await bench.runPay(
    `--sandbox payment create --token ${token} --amount '10.00 EUR' --order-id A-1 -o id`,
  )
  const id = created.stdout.trim()
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  return id
}

/** What the service responds to one reading of the payment. */
export interface Reading {
  readonly status: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

export const paid = (status: string, more: object = {}): Reading => ({
  status: 200,
  body: { id: 'p1', status, ...more },
})

export const refused = (status: number, headers: Record<string, string> = {}): Reading => ({
  status,
  body: status === 404 ? envelope('PaymentNotFoundError') : {},
  headers,
})

/** Returns these responses in order, then repeats the last one. */
export const reading = (...answers: readonly Reading[]): RunOptions => ({
  env: SERVICE_ENV,
  service: (_, attempt) => {
    const answer = answers[Math.min(attempt, answers.length) - 1]
    if (answer === undefined) throw new Error('no answer')
    return jsonAnswer(answer.status, answer.body, answer.headers)
  },
})
