import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { CREATE_TABLES } from '../../src/client/ledger/tables.ts'
import { createLedgerBench, DONE, ONCE, REFUND, refundOf, UNKNOWN } from '../client/ledger/ledger-bench.ts'
import { hasPostgres, teamDatabase } from '../client/ledger/team/postgres.ts'
import { inLedger } from '../support/ledger-rows.ts'
import { blocksOf } from '../support/markdown.ts'
import { ROOT } from '../support/spawn-pay.ts'

const BLOCKS = blocksOf(readFileSync(join(ROOT, 'docs/ledger.md'), 'utf8'))
const textOf = (language: string): string =>
  BLOCKS.find((block) => block.language === language)?.text ?? 'missing'

/** The columns and indexes of `writes`. */
function shapeOf(sql: string): unknown {
  const connection = loadSqlite()(':memory:')
  connection.exec(sql)
  const columns = connection
    .prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info('writes')`)
    .all()
  const indexes = connection
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%UNIQUE%' ORDER BY name`)
    .all()
  connection.close()
  return { columns, indexes }
}

test('the page has the table that the ledger makes', () => {
  expect(shapeOf(textOf('sql'))).toEqual(shapeOf(CREATE_TABLES))
})

test('the query on the page finds the open writes', async () => {
  const bench = createLedgerBench()
  const { ledger } = bench.process()
  await (await ledger.begin(REFUND, ONCE)).settle(DONE)
  await (await ledger.begin(refundOf('p2'), ONCE)).settle(UNKNOWN)
  const [, query = ''] = /"\s([^"]+)"/.exec(textOf('sh')) ?? []
  expect(inLedger(bench.folder, (database) => database.all(query))).toMatchObject([
    { operation: 'payment.refund', target: 'p2', amount: 500, currency: 'EUR', state: 'in-doubt' },
  ])
})

const AUDITORS = blocksOf(readFileSync(join(ROOT, 'docs/auditors.md'), 'utf8'))
const queryOf = (language: string): string =>
  AUDITORS.find((block) => block.language === language)?.text ?? 'missing'

test("the auditors' query sums the refunds of a file by person", async () => {
  const bench = createLedgerBench()
  const { ledger } = bench.process()
  for (const payment of ['p1', 'p2']) await (await ledger.begin(refundOf(payment), ONCE)).settle(DONE)
  const [, query = ''] = /"\s([^"]+)"/.exec(queryOf('sh')) ?? []
  expect(inLedger(bench.folder, (database) => database.all(query))).toMatchObject([
    { by: 'ana', currency: 'EUR', state: 'confirmed', refunds: 2, minor_units: 1000 },
  ])
})

test.skipIf(!hasPostgres)("the auditors' query runs in a team's ledger, as a reader", async () => {
  const { sql } = await teamDatabase()
  expect(await sql(queryOf('sql'))).toEqual([])
  await sql(`SET ROLE pay_reader; ${queryOf('sql')}`)
  await expect(sql('SET ROLE pay_reader; UPDATE accounts SET limits = NULL')).rejects.toThrow(
    'permission denied',
  )
})
