import { rmSync } from 'node:fs'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions, RunResult } from '../../support/run-pay.ts'
import { writesOf } from '../../support/run-result.ts'
import { useBench } from '../../support/use-bench.ts'

export const ENV = { PAY_API_KEY: 'key-0123456789abcdef', PAY_BASE_URL: 'http://127.0.0.1:9' }

export const TOKEN = 'tok-very-secret-0123456789'

export const PAYMENT = {
  id: 'p1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  amount: 1_000,
  paymentMethod: { paymentMethodToken: TOKEN, paymentMethodData: { last4Digits: '1111' } },
}

export const keyOf = (ran: RunResult) => writesOf(ran)[0]?.headers['x-idempotency-key']

export function useTickets() {
  const bench = useBench()
  const refund = (words: string, options: RunOptions = {}, id = 'p1') =>
    bench.runPay(`payment refund ${id} --amount 300 ${words}`, {
      env: ENV,
      service: ({ method }) => jsonAnswer(200, method === 'GET' ? PAYMENT : { ...PAYMENT, id }),
      ...options,
    })
  const forgetLedger = () => rmSync(ledgerPath(bench.stateFolder), { force: true })
  return { bench, refund, forgetLedger }
}
