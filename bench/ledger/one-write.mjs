// Times writes to a freshly loaded ledger. ../ledger.mjs bundles this file and runs it in a separate process.
// Usage: node one-write.cjs FOLDER
import { randomUUID } from 'node:crypto'

const ONCE = { mayRepeat: false, isTicket: false, timeoutMs: 30_000 }
const TICKET = { ...ONCE, isTicket: true }
const MANY = 100

async function openLedger(folder) {
  const { createLedger } = await import('../../src/client/ledger/ledger.ts')
  const { fileStore, ledgerPath } = await import('../../src/client/ledger/ledger-file.ts')
  const { startInProc } = await import('../../src/client/ledger/process-start.ts')
  const own = { pid: process.pid, startedAt: startInProc(process.pid), machine: 'bench' }
  return createLedger({
    store: fileStore(ledgerPath(folder), (ms) => new Promise((wake) => setTimeout(wake, ms))),
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    newId: randomUUID,
    processes: { own: () => own, isAlive: () => true, startOf: startInProc },
    user: () => 'bench',
    version: '0',
  })
}

/** The milliseconds until it may be sent, and until its outcome is recorded. */
async function write(ledger, name, begin) {
  const begun = performance.now()
  const intent = await ledger.begin(
    {
      operation: 'payment.refund',
      baseUrl: 'https://api.example.com',
      apiKeyId: 'a',
      profile: 'shop',
      mode: 'live',
      apiVersion: '2.1',
      target: { kind: 'payment', name },
      amount: 500,
      currencyCode: 'EUR',
      idempotencyKey: randomUUID(),
      reason: undefined,
      fingerprint: `refund ${name}`,
      isRepeatable: false,
      request: { params: { id: name }, body: '{"amount":500}' },
      before: undefined,
    },
    begin,
  )
  const claimed = performance.now()
  await intent.settle({ state: 'confirmed', exitCode: 0 })
  return { claimMs: claimed - begun, outcomeMs: performance.now() - claimed }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

async function main() {
  const started = performance.now()
  const ledger = await openLedger(process.argv[2])
  await write(ledger, randomUUID(), ONCE)
  const firstMs = performance.now() - started
  const before = process.cpuUsage()
  const times = []
  for (let at = 0; at < MANY; at += 1)
    times.push(await write(ledger, randomUUID(), at % 2 === 0 ? ONCE : TICKET))
  const { user, system } = process.cpuUsage(before)
  console.log(
    JSON.stringify({
      firstMs,
      claimMs: median(times.filter((_, at) => at % 2 === 0).map(({ claimMs }) => claimMs)),
      ticketMs: median(times.filter((_, at) => at % 2 === 1).map(({ claimMs }) => claimMs)),
      outcomeMs: median(times.map(({ outcomeMs }) => outcomeMs)),
      processorMs: (user + system) / 1000 / MANY,
    }),
  )
}

void main()
