import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refundPayment } from '../../../../src/api/operations/payment.ts'
import { resolveOpen } from '../../../../src/cli/resolve-open.ts'
import { PayError } from '../../../../src/errors.ts'
import { OPEN_STATES } from '../../../../src/client/ledger/record.ts'
import type { TeamStore } from '../../../../src/client/ledger/team/store.ts'
import { at, openService, seededRandom, settledPayment } from '../../../sandbox/service.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import type { Cut } from './cutting-proxy.ts'
import { hasPostgres, postgres, storeAt, teamDatabase } from './postgres.ts'
import { clientOn } from '../client-on.ts'
import type { Way } from '../client-on.ts'
import { benchesOn, createLedgerBench } from '../ledger-bench.ts'
import { clocked } from './clocked.ts'

const ROUNDS = Number(process.env['TEAM_ROUNDS'] ?? 24)
const SEED = Number(process.env['TEAM_SEED'] ?? 1)
const AMOUNT = 300
/** The bytes of the message that commits. */
const COMMIT_BYTES = 12

let url = ''
let databaseNow = () => new Date()
const stores: TeamStore[] = []

function storeOn(address: string, now: () => Date) {
  const store = storeAt(address, { account: 'acme' })
  stores.push(store)
  return clocked(store, now)
}

/** The wire to the database is cut anywhere, also in the middle of a COMMIT, while `clients` refund the same payment. */
export const describeCutWire = (clients: number) =>
  describe.skipIf(!hasPostgres)('a wire that is cut', () => {
    beforeAll(async () => {
      ;({ url } = await teamDatabase())
      benchesOn((now) => {
        databaseNow = now
        return storeOn(url, now)
      })
    })
    afterAll(() => benchesOn(undefined))

    const random = seededRandom(SEED)
    const below = (most: number): number => Math.floor(random() * most)
    const someCut = (): Cut | undefined => {
      const kind = below(4)
      if (kind === 0) return undefined
      if (kind === 1) return { after: below(6000), of: 'requests' }
      if (kind === 2) return { after: below(3000), of: 'answers' }
      return { commit: 1 + below(2), bytes: below(COMMIT_BYTES + 1) }
    }
    const someWay = (): Way =>
      (['through', 'through', 'lost before', 'lost after'] as const)[below(4)] ?? 'through'

    const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
    test(`does nothing twice, loses nothing and leaves nothing in doubt: ${clients} clients`, async () => {
      const { port } = await postgres()
      const bench = createLedgerBench({ idsAfter: clients * 1_000_000 })
      bench.store()
      const service = await openService(undefined, SEED + clients, () => bench.clock.now, 'reject')
      for (const round of rounds) {
        const payment = await settledPayment(service)
        const cuts: (Cut | undefined)[] = []
        const proxy = await cuttingProxy(port, cuts)
        const done = await Promise.all(
          Array.from({ length: clients }, async () => {
            cuts.push(someCut())
            const store = storeOn(url.replace(`:${port}/`, `:${proxy.port}/`), databaseNow)
            const body = { value: { amount: AMOUNT }, text: `{"amount":${AMOUNT}}` }
            const call = { operation: refundPayment, params: { id: payment }, body, mayRepeat: true }
            try {
              await clientOn(service, bench, bench.process({ store }), someWay()).call(call)
              return true
            } catch (error) {
              if (!(error instanceof PayError)) throw error
              expect([6, 9, 10], `round ${round}: ${error.message}`).toContain(error.exitCode)
              return false
            }
          }),
        )
        proxy.close()
        bench.waitMs(61_000)
        const { ledger, ...process } = bench.process()
        const { records } = await ledger.list({ states: OPEN_STATES, targets: [payment] })
        for (const { id } of records) {
          const client = clientOn(service, bench, { ledger, ...process }, 'through')
          await resolveOpen(ledger, id, async () => client, {
            confirmSend: async () => true,
            timeoutMs: 1_000,
          })
        }
        const written = (await ledger.list({ targets: [payment] })).records
        const confirmed = written.filter(({ state }) => state === 'confirmed').length
        expect(
          written.filter(({ state }) => OPEN_STATES.includes(state)),
          `round ${round}`,
        ).toEqual([])
        expect(
          at(await service.ok('GET', `/payments/${payment}`), 'processor', 'amountRefunded') ?? 0,
          `round ${round}`,
        ).toBe(AMOUNT * confirmed)
        expect(confirmed).toBeGreaterThanOrEqual(done.filter(Boolean).length)
        for (const store of stores.splice(0)) store.close()
      }
    }, 3_600_000)
  })
