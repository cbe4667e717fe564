import { describe, expect, test } from 'vitest'
import { json } from '../../support/simulated-service.ts'
import { HOUR_MS, NOW, aged, runResolve } from './resolve-bench.ts'
import { AGES, AMBIGUOUS, DATE, LOOKS, RESENDS } from './by-key-cases.ts'
import type { Look } from './by-key-cases.ts'

const SAID_BY_STATE = {
  absent: { kind: 'rejected', exitCode: 11 },
  shown: { kind: 'confirmed', exitCode: 0 },
  unclear: AMBIGUOUS,
  hidden: AMBIGUOUS,
} as const

const rows = Object.entries(LOOKS).flatMap(([operation, { intent, looks }]) =>
  Object.entries(looks).flatMap(([lookName, look]) =>
    Object.entries(AGES).flatMap(([age, { ms, isKnown }]) =>
      Object.entries(RESENDS).map(([resend, { answer, means }]) => {
        // Where the payment shows it, or may, nothing is sent. A key that the service may have forgotten is not sent either.
        const isSent = isKnown && (look.says === 'absent' || look.says === 'hidden')
        const told = isSent ? means(look) : SAID_BY_STATE[look.says]
        return { operation, lookName, age, ms, resend, answer, intent, look, isSent, told }
      }),
    ),
  ),
)

/** The same payment, for a call of that age. */
const lookAtAge = ({ payment }: Look, ms: number): object =>
  ms < 2 * HOUR_MS ? payment : JSON.parse(JSON.stringify(payment).replaceAll(DATE, LONG_AGO_FOR(ms)))
const LONG_AGO_FOR = (ms: number): string =>
  new Date(NOW.getTime() - ms + 500).toISOString().replace('Z', '000')

describe.each(Object.keys(LOOKS))('%s, in doubt', (operation) => {
  test.each(rows.filter((row) => row.operation === operation))(
    '$lookName, $age, sent again: $resend',
    async ({ intent, look, ms, answer, isSent, told }) => {
      const run = await runResolve(
        { ...intent, ...aged(ms) },
        { read: () => json(200, lookAtAge(look, ms)), write: () => answer },
      )
      expect(run.resolution).toMatchObject(told)
      expect(run.writes).toHaveLength(isSent ? 1 : 0)
      expect(run.questions).toBe(isSent ? 1 : 0)
      for (const { url, headers, body } of run.writes) {
        expect(url).toMatch(/\/payments\/pay-1\/[a-z]+$/)
        expect(body).toBe(intent.request?.body)
        expect(headers).toMatchObject({ 'x-idempotency-key': 'key-of-op-1', 'x-api-version': '2.1' })
      }
      expect(run.resolution.words).toMatch(/^[A-Z].*\.$/)
    },
  )
})
