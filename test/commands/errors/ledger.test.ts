import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { createBench } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { createOpsBench } from '../ops/ops-bench.ts'
import { lostOnShop } from '../ops/lost-refund.ts'

const OPS: readonly Mistake[] = [
  'ops show',
  'ops show 123',
  'ops show 00000000',
  'ops show PAYMENT',
  'ops resolve',
  'ops resolve LOST --all',
  'ops resolve --resend',
  'ops abandon LOST --damaged-ledger',
  'ops report',
  'ops list --state doubtful',
  "payment refund PAYMENT --sandbox --amount '3 EUR'",
]

test('writes', async () => {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund('A-1')
  const values = { LOST: id, PAYMENT: paymentId }
  await expect(await transcriptOf(bench, OPS, values)).toMatchFileSnapshot('../../golden/errors/ops.txt')
})

test('a damaged record', async () => {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund('A-1')
  bench.damage(id)
  const lines = [
    'ops show LOST',
    'ops resolve LOST',
    'ops resolve --all',
    'ops abandon --damaged-ledger --yes',
  ]
  await expect(await transcriptOf(bench, lines, { LOST: id, PAYMENT: paymentId })).toMatchFileSnapshot(
    '../../golden/errors/ops-damaged.txt',
  )
})

test('a write on a live profile', async () => {
  const { bench, shop, id } = await lostOnShop()
  const service = { service: shop.answer }
  const lines: readonly Mistake[] = [
    ['ops resolve LOST', service],
    ['ops resolve LOST --resend', service],
    ['ops abandon LOST', service],
    ['profile set shop --ledger postgres://anna@db.example.com/pay', service],
  ]
  await expect(await transcriptOf(bench, lines, { LOST: id })).toMatchFileSnapshot(
    '../../golden/errors/ops-live.txt',
  )
})

test('an earlier sandbox', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund('A-1')
  const sandbox = await openSandbox({
    folder: join(bench.stateFolder, 'sandbox'),
    now: () => bench.clock.now,
    random: Math.random,
  })
  await sandbox.reset()
  await sandbox.close()
  await expect(await transcriptOf(bench, ['ops resolve LOST'], { LOST: id })).toMatchFileSnapshot(
    '../../golden/errors/ops-earlier.txt',
  )
})

test('the file of the ledger', async () => {
  const bench = createBench()
  const path = ledgerPath(bench.stateFolder)
  const list = 'ops list'
  const create = "payment create --sandbox --token tok_visa --amount '5 EUR' --order-id A-1"
  await bench.runPay(create)
  const whole = readFileSync(path)
  const restore = () => {
    rmSync(path, { force: true, recursive: true })
    writeFileSync(path, whole, { mode: 0o600 })
  }
  const change = (sql: string) => () => {
    const connection = loadSqlite()(path)
    connection.exec(sql)
    connection.close()
  }
  const lines: readonly Mistake[] = [
    change('PRAGMA user_version = 99'),
    list,
    restore,
    change('PRAGMA user_version = 1'),
    list,
    restore,
    change('DROP INDEX open_target'),
    create,
    () => {
      restore()
      renameSync(path, `${path}.other`)
      symlinkSync(`${path}.other`, path)
    },
    list,
    create,
  ]
  await expect(await transcriptOf(bench, lines)).toMatchFileSnapshot('../../golden/errors/ledger-file.txt')
  bench.dispose()
})

const LEDGER: readonly Mistake[] = [
  'ledger init --profile shop',
  'ledger join --profile shop',
  'ledger join anna --profile keyless',
  'ledger join "a b" --profile team',
  'ledger limit anna --profile shop --max-count 5/1h',
  'ledger status --profile team',
  'profile set shop --ledger postgres://anna:secret@db.example.com/pay',
  'profile set shop --ledger mysql://db.example.com/pay',
  'profile set shop --ledger postgres://db.example.com/pay?sslmode=require',
  'payment list --profile nowhere',
]

test('the ledger of a team', async () => {
  const bench = createBench()
  await storeProfile(bench)
  await storeProfile(bench, {
    name: 'team',
    words: ['--ledger', 'postgres://anna@127.0.0.1:1/pay?sslmode=disable'],
  })
  await bench.runPay(
    'profile add keyless --test --base-url https://api.example.com --ledger postgres://anna@127.0.0.1:1/pay?sslmode=disable',
  )
  await expect(await transcriptOf(bench, LEDGER)).toMatchFileSnapshot('../../golden/errors/ledger.txt')
  bench.dispose()
})
