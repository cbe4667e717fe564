import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import type { RunOptions } from '../../../support/run-pay.ts'

export const refund = (processorStatus: string, more: object = {}) => ({
  transactionType: 'REFUND',
  processorTransactionId: 'r1',
  date: '2026-03-01T12:00:00',
  amount: 300,
  processorStatus,
  ...more,
})

export const withRefunds = (...transactions: readonly object[]) => ({
  id: 'p1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  transactions,
})

/** Responds to the refund with `made`, then to each read with the next of `readings`. A number is an error status. */
export const service = (made: unknown, ...readings: readonly unknown[]): RunOptions => {
  let read = 0
  return {
    env: SERVICE_ENV,
    service: ({ method }) => {
      if (method === 'POST') return jsonAnswer(200, made)
      const reading = readings[Math.min(read, readings.length - 1)]
      read += 1
      return typeof reading === 'number' ? jsonAnswer(reading, {}) : jsonAnswer(200, reading)
    },
  }
}

export const REFUND = 'payment refund p1 --amount 300 --wait'
