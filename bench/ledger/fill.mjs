// Fills a ledger with writes like a busy team's month. ../ledger.mjs bundles this file and runs it in a separate process.
// Usage: node fill.cjs FOLDER RECORDS. Prints the IDs of the first and of the last.
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { INSERT, valuesOf } from '../../src/client/ledger/entry.ts'
import { ledgerPath } from '../../src/client/ledger/ledger-file.ts'
import { CREATE_TABLES } from '../../src/client/ledger/tables.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'

const OPERATIONS = ['payment.refund', 'payment.capture', 'payment.create', 'session.create', 'payment.cancel']
const START = Date.parse('2026-02-01T00:00:00.000Z')

const hex = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32)

function recordAt(at) {
  const isRejected = at % 17 === 0
  return {
    id: randomUUID(),
    operation: OPERATIONS[at % OPERATIONS.length],
    profile: 'shop',
    target: `pay-${at}`,
    amount: 100 + (at % 5_000),
    currencyCode: 'EUR',
    idempotencyKey: randomUUID(),
    createdAt: new Date(START + at * 24_000).toISOString(),
    updatedAt: new Date(START + at * 24_000 + 180).toISOString(),
    state: isRejected ? 'rejected' : 'confirmed',
    exitCode: isRejected ? 3 : 0,
    reason: at % 3 === 0 ? 'damaged in transit' : null,
    user: 'maria',
    host: 'support-7',
    version: '0.1.0',
    baseUrl: 'https://api.example.com',
    account: hex('account'),
    apiKeyId: hex('account'),
    mode: 'live',
    apiVersion: '2.1',
    targetKind: 'payment',
    likeness: hex(`likeness ${at}`),
    isRepeatable: false,
    resource: `pay-${at}`,
    note: null,
  }
}

function fill(folder, records) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const connection = loadSqlite()(ledgerPath(folder))
  connection.exec(CREATE_TABLES)
  connection.exec('BEGIN')
  const insert = connection.prepare(INSERT)
  const ids = Array.from({ length: records }, (_, at) => {
    const record = recordAt(at)
    insert.run(valuesOf({ record, isTicket: false, turn: 0, owner: undefined, leaseUntilMs: undefined }))
    return record.id
  })
  connection.exec('COMMIT')
  connection.close()
  console.log(JSON.stringify([ids[0], ids.at(-1)]))
}

fill(process.argv[2], Number(process.argv[3]))
