// Times writes to a freshly loaded ledger. ../ledger.mjs bundles this file and runs it in a separate process.
// Usage: node one-write.cjs FOLDER
import { randomUUID } from 'node:crypto'

const ONCE = { mayRepeat: false, isTicket: false }
const MANY = 100

async function openLedger(folder) {
  const { createLedger } = await import('../../src/ledger/ledger.ts')
  const { fileStore, ledgerPath } = await import('../../src/ledger/ledger-file.ts')
  const { startInProc } = await import('../../src/ledger/process-start.ts')
  const own = { pid: process.pid, startedAt: startInProc(process.pid), machine: 'bench' }
  return createLedger({
    store: fileStore(ledgerPath(folder), (ms) => new Promise((wake) => setTimeout(wake, ms))),
    now: () => new Date(),
    newId: randomUUID,
    processes: { own: () => own, isAlive: () => true, startOf: startInProc },
    user: () => 'bench',
    version: '0',
  })
}

async function write(ledger, at) {
  const begun = performance.now()
  const intent = await ledger.begin(
    {
      operation: 'payment.refund',
      baseUrl: 'https://api.example.com',
      account: 'a',
      profile: 'shop',
      mode: 'live',
      apiVersion: '2.1',
      target: { kind: 'payment', name: `p${at}` },
      amount: 500,
      currencyCode: 'EUR',
      idempotencyKey: randomUUID(),
      reason: undefined,
      fingerprint: `refund ${at}`,
      isRepeatable: false,
      request: { params: { id: `p${at}` }, body: '{"amount":500}' },
      before: undefined,
    },
    ONCE,
  )
  await intent.settle({ state: 'confirmed', exitCode: 0 })
  return performance.now() - begun
}

async function main() {
  const started = performance.now()
  const ledger = await openLedger(process.argv[2])
  await write(ledger, 0)
  const firstMs = performance.now() - started
  const times = []
  for (let at = 1; at <= MANY; at += 1) times.push(await write(ledger, at))
  times.sort((a, b) => a - b)
  console.log(JSON.stringify({ firstMs, furtherMs: times[MANY / 2] }))
}

void main()
