import { describe, expect, test } from 'vitest'
import { capturePayment, refundPayment } from '../../../src/api/operations/payment.ts'
import { resolveOpen } from '../../../src/cli/resolve-open.ts'
import type { CallOperation } from '../../../src/client/calls/call.ts'
import { at, createPayment, openService, settledPayment, textAt } from '../../sandbox/service.ts'
import { createLedgerBench } from './ledger-bench.ts'
import { clientOn } from './client-on.ts'
import type { Way } from './client-on.ts'
import { OPEN_STATES } from '../../../src/client/ledger/record.ts'

const OPERATIONS = {
  refund: { operation: refundPayment, figure: 'amountRefunded' },
  capture: { operation: capturePayment, figure: 'amountCaptured' },
} as const satisfies Record<string, { operation: CallOperation; figure: string }>

describe.each(['reject', 'replay'] as const)(
  'on a service that responds to a used key with %s',
  (idempotency) => {
    describe.each(Object.entries(OPERATIONS))('a %s', (verb, { operation, figure }) => {
      test.each(['lost before', 'lost after'] as const)(
        'whose response is %s processing is done exactly once after a resolve',
        async (way) => {
          const bench = createLedgerBench()
          const service = await openService(undefined, 1, () => bench.clock.now, idempotency)
          const id =
            verb === 'refund'
              ? await settledPayment(service)
              : textAt(await createPayment(service, 'tok_visa'), 'id')
          const writer = bench.process()
          const body = { value: { amount: 300 }, text: '{"amount":300}' }
          await expect(
            clientOn(service, bench, writer, way).call({ operation, params: { id }, body }),
          ).rejects.toMatchObject({ exitCode: 10 })
          const [open] = (await writer.ledger.list({ states: OPEN_STATES })).records
          // The first two resends fail as well; the third finds what the second did. If the first attempt was done, the payment shows
          // it at once.
          const ways: readonly Way[] = ['lost before', 'lost after', 'through']
          const kinds: string[] = []
          for (const next of ways) {
            const process = bench.process()
            const client = clientOn(service, bench, process, next)
            const { resolution } = await resolveOpen(process.ledger, open?.id ?? '', async () => client, {
              confirmSend: async () => true,
              timeoutMs: 30_000,
            })
            kinds.push(resolution.kind)
            if (resolution.kind === 'confirmed') break
          }
          expect(kinds).toEqual(way === 'lost after' ? ['confirmed'] : ['in-doubt', 'in-doubt', 'confirmed'])
          expect(at(await service.ok('GET', `/payments/${id}`), 'processor', figure)).toBe(300)
          expect((await writer.ledger.list({})).records).toMatchObject([{ state: 'confirmed', exitCode: 0 }])
        },
      )
    })

    test('a refund whose key another refund was confirmed with does not count as done', async () => {
      const bench = createLedgerBench()
      const service = await openService(undefined, 1, () => bench.clock.now, idempotency)
      const id = await settledPayment(service)
      const body = { value: { amount: 300 }, text: '{"amount":300}' }
      const call = { operation: refundPayment, params: { id }, body, idempotencyKey: 'K', mayRepeat: true }
      const writer = bench.process()
      await clientOn(service, bench, writer, 'through').call(call)
      await expect(clientOn(service, bench, writer, 'lost before').call(call)).rejects.toMatchObject({
        exitCode: 10,
      })
      const [open] = (await writer.ledger.list({ states: OPEN_STATES })).records
      const other = bench.process()
      const client = clientOn(service, bench, other, 'through')
      const { record, resolution } = await resolveOpen(other.ledger, open?.id ?? '', async () => client, {
        confirmSend: async () => true,
        timeoutMs: 30_000,
      })
      expect(resolution).toMatchObject({ kind: 'in-doubt' })
      expect(resolution.words).toContain('the same idempotency key')
      expect(record.state).toBe('in-doubt')
      expect(at(await service.ok('GET', `/payments/${id}`), 'processor', 'amountRefunded')).toBe(300)
    })
  },
)
