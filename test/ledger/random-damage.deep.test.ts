import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refundPayment } from '../../src/api/operations/payment.ts'
import { resolveOpen } from '../../src/cli/resolve-open.ts'
import { PayError } from '../../src/errors.ts'
import { at, openService, seededRandom, settledPayment } from '../sandbox/service.ts'
import type { Service } from '../sandbox/service.ts'
import { createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'
import { MINUTE_MS, touch } from './damage-bench.ts'
import { clientOn } from './client-on.ts'

/** `PAY_DAMAGE_RUNS=10000 PAY_DAMAGE_SEED=1 npm run test:deep -- test/ledger/random-damage` runs many more. */
const RUNS = Number(process.env['PAY_DAMAGE_RUNS'] ?? 300)
const SEED = Number(process.env['PAY_DAMAGE_SEED'] ?? 1)

/** Random damage: changed bits or bytes, zeros, another value, or a missing end. */
function damagedText(bytes: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit)
  const changed = Buffer.from(bytes)
  switch (below(6)) {
    case 0:
      for (let left = 1 + below(8); left > 0; left -= 1) {
        const index = below(bytes.length)
        changed[index] = (changed[index] ?? 0) ^ (1 << below(8))
      }
      return changed
    case 1:
      for (let left = 1 + below(4); left > 0; left -= 1) changed[below(bytes.length)] = below(256)
      return changed
    case 2:
      return changed.fill(0, below(bytes.length))
    case 3:
    case 4: {
      // What is read as before, and says something else, is the most dangerous.
      const values = [...bytes.toString('latin1').matchAll(/(?<=":"?)[\w-]+(?="?[,}])/g)]
      const value = values[below(values.length)]
      const index = (value?.index ?? 0) + below(value?.[0].length ?? 1)
      changed[index] = '0123456789abcdef'.charCodeAt(below(16))
      return changed
    }
    default:
      // An empty file looks like one that was removed, and nothing shows the difference.
      return changed.subarray(0, 1 + below(bytes.length - 1))
  }
}

const swallow = (error: unknown): void => {
  if (!(error instanceof PayError)) throw error
}

async function resolveAll(service: Service, bench: LedgerBench): Promise<void> {
  const process = bench.process()
  const client = clientOn(service, bench, process, 'through')
  for (const { id } of (await process.ledger.list({ onlyOpen: true })).records)
    await resolveOpen(process.ledger, id, async () => client, { confirmSend: async () => true }).catch(
      swallow,
    )
}

test(`a refund in doubt is never done twice, no matter what is damaged (${RUNS} runs from seed ${SEED})`, async () => {
  let bench = createLedgerBench()
  let service = await openService(undefined, 1, () => bench.clock.now)
  for (let run = 0; run < RUNS; run += 1) {
    // Start a new history now and then: reading a long one takes longer.
    if (run % 50 === 49) {
      bench = createLedgerBench()
      service = await openService(undefined, 1, () => bench.clock.now)
    }
    const random = seededRandom(SEED + run)
    const id = await settledPayment(service)
    const body = { value: { amount: 300 }, text: '{"amount":300}' }
    const call = { operation: refundPayment, params: { id }, body }
    await clientOn(service, bench, bench.process(), 'lost after').call(call).catch(swallow)
    const endsFirst = random() < 0.5
    // Of its open record, or of its line in the history, behind those of the runs before.
    if (endsFirst) await resolveAll(service, bench)
    const folder = endsFirst ? bench.folder : join(bench.folder, 'open')
    const [name = ''] = readdirSync(folder).filter((one) => /\.(?:json|ndjson)$/.test(one))
    const path = join(folder, name)
    const whole = readFileSync(path)
    const start = endsFirst ? whole.lastIndexOf('\n', whole.length - 2) + 1 : 0
    writeFileSync(path, Buffer.concat([whole.subarray(0, start), damagedText(whole.subarray(start), random)]))
    if (endsFirst) touch(bench)
    await resolveAll(service, bench)
    await clientOn(service, bench, bench.process(), 'through').call(call).catch(swallow)
    const payment = await service.ok('GET', `/payments/${id}`)
    expect(at(payment, 'processor', 'amountRefunded'), `seed ${SEED + run}`).toBe(300)
    const { ledger } = bench.process()
    for (const { name: damaged } of (await ledger.list({ onlyOpen: true })).damaged.files)
      await ledger.setAside(damaged)
    for (const { id: open } of (await ledger.list({ onlyOpen: true })).records)
      await (await ledger.reopen(open)).abandon('looked')
    bench.waitMs(20 * MINUTE_MS)
  }
}, 3_600_000)
