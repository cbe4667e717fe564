import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PayError } from '../../../src/errors.ts'
import { createClient } from '../../../src/client/calls/client.ts'
import type { Transport } from '../../../src/client/http/transport-port.ts'
import { WRITES, callOf, recordingLedger } from '../../support/client-bench.ts'
import { provesDone } from './response-oracle.ts'
import { startRawServer } from '../../support/raw-server.ts'
import { PAYMENT_ID } from '../../support/simulated-service.ts'
import type { WriteId } from '../../support/simulated-service.ts'
import { TRANSPORTS } from '../../support/transports.ts'
import { WANTED, mutatedAnswer, written } from './mutated-answer.ts'

/**
 * Mutates real answers at random on their way over real connections. None may count as done unless a second, independent
 * reading of the same bytes agrees. `ANSWER_MUTATIONS=100000` tries that many, `npm run test:deep` 10,000; `ANSWER_SEED` tries others.
 */
const COUNT = Number(process.env['ANSWER_MUTATIONS'] ?? 400)
const SEED = Number(process.env['ANSWER_SEED'] ?? 20_261_122)
const AT_ONCE = 16

/** Mulberry32. */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The response to each call, by its API key: each call has its own. */
const answers = new Map<string, Buffer>()
const READ = written(
  {
    status: '200 OK',
    headers: [['connection', 'close']],
    body: Buffer.from(JSON.stringify({ id: PAYMENT_ID, status: 'PENDING', amount: 1_000 })),
    framing: 'length',
  },
  () => 0,
)
let server: Awaited<ReturnType<typeof startRawServer>>
const transports: Transport[] = []

beforeAll(async () => {
  server = await startRawServer(serve)
  transports.push(...TRANSPORTS.map(([, create]) => create(AT_ONCE)))
})
afterAll(async () => {
  for (const transport of transports) await transport.close()
  await server.close()
})

function serve(socket: Socket): void {
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString()
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (end === -1 || text.length < end + 4 + length) return
    const key = /x-api-key: (\S+)/i.exec(text)?.[1] ?? ''
    socket.end(text.startsWith('GET ') ? READ : (answers.get(key) ?? ''))
  })
}

async function exitOf(id: WriteId, key: string, transport: Transport): Promise<number> {
  const never = new AbortController().signal
  const client = createClient({
    transport,
    ledger: recordingLedger([]),
    profile: 'shop',
    mode: 'test',
    baseUrl: `http://127.0.0.1:${server.port}`,
    apiKey: key,
    apiVersion: '2.1',
    userAgent: 'test',
    timeoutMs: 20_000,
    maxRetries: 0,
    now: () => new Date(),
    clocks: () => ({ wallMs: Date.now(), machine: 'here' }),
    random: () => 0.5,
    newId: () => 'key-1',
    sleep: async () => {},
    interruption: { stop: never, abandon: never },
    onAttempt: () => {},
  })
  try {
    return (await client.call(callOf(id))).exitCode
  } catch (error) {
    if (error instanceof PayError) return error.exitCode
    throw error
  }
}

test(
  `of ${COUNT} mutated responses, none is reported as done without proof`,
  { timeout: 30 * 60_000 },
  async () => {
    const chance = chanceOf(SEED)
    const counts = { done: 0, doubt: 0, whole: 0 }
    const wrong: string[] = []
    const started = performance.now()
    for (let from = 0; from < COUNT; from += AT_ONCE) {
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, COUNT - from) }, async (_, index) => {
          const number = from + index
          const { id } = WRITES[Math.floor(chance() * WRITES.length)] ?? { id: 'payment.refund' }
          const { bytes, isWhole } = mutatedAnswer(id, chance)
          const transport = transports[number % 2]
          if (transport === undefined) throw new Error('no transport')
          const key = `key-${number}`
          answers.set(key, bytes)
          const exitCode = await exitOf(id, key, transport)
          answers.delete(key)
          const isDone = [0, 8, 13].includes(exitCode)
          counts[isDone ? 'done' : 'doubt'] += 1
          if (isWhole) counts.whole += 1
          const isProven = provesDone(bytes, WANTED[id])
          if ((isDone && !isProven) || (isWhole && !isDone))
            wrong.push(`${number} ${id}: exit ${exitCode} for ${JSON.stringify(bytes.toString('latin1'))}`)
        }),
      )
    }
    const seconds = (performance.now() - started) / 1_000
    if (COUNT > 3_000)
      process.stdout.write(`seed ${SEED}: ${JSON.stringify(counts)} in ${seconds.toFixed(1)} s\n`)
    expect(wrong).toEqual([])
    // Otherwise the mutations would prove nothing.
    expect(counts.whole).toBeGreaterThan(COUNT / 20)
    expect(counts.doubt).toBeGreaterThan(COUNT / 4)
  },
)
