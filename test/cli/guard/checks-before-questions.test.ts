import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { writesOf } from '../../support/run-result.ts'
import { PAID, serving } from '../payment-to-change.ts'

const bench = useBench()

describe('before any question', () => {
  beforeEach(() => storeProfile(bench, { mode: 'live' }))

  test.each(['refund', 'capture', 'cancel', 'adjust'])(
    'a %s in doubt blocks a refund, and nothing is read',
    async (verb) => {
      const amount = ['refund', 'capture', 'adjust'].includes(verb) ? '--amount 300' : ''
      const lost = await bench.runPay(`payment ${verb} p1 ${amount} --yes --max-retries 0`, {
        service: ({ method }) => (method === 'GET' ? jsonAnswer(200, PAID) : jsonAnswer(500, {})),
      })
      expect(lost.exitCode).toBe(10)
      const refused = await bench.runPay('payment refund p1', serving(PAID))
      expect(refused).toMatchObject({ exitCode: 6, stdout: '', questions: [], requests: [] })
      expect(refused.stderr).toContain('is in doubt')
      expect(refused.stderr).toContain('pay ops resolve')
    },
  )

  test('a used ticket shows what it was used for and asks nothing', async () => {
    const line = 'payment refund p1 --once T-1'
    await bench.runPay(`${line} --amount 300 --yes`, { service: () => jsonAnswer(200, PAID) })
    const refused = await bench.runPay(line, serving(PAID))
    expect(refused).toMatchObject({ exitCode: 6, questions: [] })
    expect(writesOf(refused)).toEqual([])
    expect(refused.stderr).toContain('Already done for this ticket')
  })
})
