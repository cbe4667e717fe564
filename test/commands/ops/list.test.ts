import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entriesIn, inLedger, putEntries } from '../../support/ledger-rows.ts'
import { createOpsBench, fieldsIn, having, ok, sentBy, threeDays } from './ops-bench.ts'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'

const FIELDS = [
  'id',
  'operation',
  'profile',
  'target',
  'amount',
  'currencyCode',
  'idempotencyKey',
  'createdAt',
  'updatedAt',
  'state',
  'exitCode',
  'reason',
  'user',
  'host',
  'version',
  'orderId',
]

describe('the records', () => {
  test('are an array of the published fields in their order, newest first', async () => {
    const { bench, id, paymentId } = await threeDays()
    bench.clock.now = new Date('2026-03-02T10:00:00.000Z')
    await ok(bench.runPay(`ops resolve ${id}`))
    bench.clock.now = new Date('2026-03-03T12:00:00.000Z')
    const rejected = await bench.runPay(`--sandbox payment cancel ${paymentId} --reason 'typed twice'`)
    expect(rejected.exitCode, rejected.stderr).toBe(6)
    const records = await bench.list()
    for (const record of records) expect(Object.keys(record)).toEqual(FIELDS)
    expect(records.map(({ operation, state, exitCode }) => [operation, state, exitCode])).toEqual([
      ['payment.cancel', 'rejected', 6],
      ['session.create', 'confirmed', 0],
      ['payment.refund', 'confirmed', 0],
      ['payment.create', 'confirmed', 0],
    ])
    expect(records[0]).toMatchObject({ reason: 'typed twice', amount: null, target: paymentId })
    expect(records[2]).toEqual({
      id,
      operation: 'payment.refund',
      profile: 'sandbox',
      target: paymentId,
      amount: 200,
      currencyCode: 'EUR',
      idempotencyKey: expect.stringMatching(/^[\da-f-]{36}$/),
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-02T10:00:00.000Z',
      state: 'confirmed',
      exitCode: 0,
      reason: null,
      user: 'tester',
      host: 'test-machine',
      version: '0.0.0-test',
      orderId: 'A-1',
    })
  })

  test('need no profile, no key and no service', async () => {
    const bench = createOpsBench()
    expect(await bench.runPay('ops list')).toMatchObject({
      exitCode: 0,
      stdout: 'No writes found.\n',
      stderr: '',
      requests: [],
    })
    expect(await bench.runPay('ops list --json')).toMatchObject({ stdout: '[]\n' })
    expect(await bench.runPay('ops list -o ndjson')).toMatchObject({ stdout: '' })
    expect(await bench.runPay('ops list -o id')).toMatchObject({ stdout: '' })
  })

  test('are shown as sending while their process runs, then as in doubt', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    bench.rewrite(id, sentBy(process.pid))
    expect((await bench.operation(id))['state']).toBe('sending')
    bench.rewrite(id, sentBy(process.pid + 1))
    expect((await bench.operation(id))['state']).toBe('in-doubt')
  })
})

describe('formats', () => {
  test('table has short ids, amounts with currency and states in words', async () => {
    const { bench, id, paymentId } = await threeDays()
    const { stdout } = await ok(bench.runPay('ops list'))
    expect(stdout.split('\n')[0]).toMatch(/^ID +WHEN +OPERATION +TARGET +ORDER +AMOUNT +STATE +PROFILE +BY$/)
    expect(stdout).toMatch(
      new RegExp(
        `^${id.slice(0, 8)}  2026-03-01 12:00:00 UTC  payment\\.refund +${paymentId} +A-1 +2\\.00 EUR  \\? IN DOUBT +sandbox +tester$`,
        'm',
      ),
    )
  })

  test('id has complete ids, one per line', async () => {
    const { bench } = await threeDays()
    const ids = (await bench.list()).map((record) => record['id'])
    expect((await bench.runPay('ops list -o id')).stdout).toBe(`${ids.join('\n')}\n`)
  })

  test('ndjson, yaml, csv and queries have the same records', async () => {
    const { bench, id } = await threeDays()
    const records = await bench.list()
    const lines = (await bench.runPay('ops list -o ndjson')).stdout.trim().split('\n')
    expect(fieldsIn(`[${lines.join(',')}]`)).toEqual(records)
    const csv = (await bench.runPay('ops list -o csv')).stdout.trim().split('\n')
    expect(csv[0]).toBe(FIELDS.join(','))
    expect(csv).toHaveLength(records.length + 1)
    expect(csv.at(2)).toContain(`${id},payment.refund,sandbox,`)
    const yaml = (await bench.runPay('ops list -o yaml')).stdout
    expect(yaml.match(/^- id: /gm)).toHaveLength(records.length)
    const query = ['ops', 'list', '--query', "[?state=='in-doubt'].id", '-o', 'id']
    expect((await bench.runPay(query)).stdout).toBe(`${id}\n`)
  })

  test('more than a thousand records are the same in every format', async () => {
    const { bench } = await threeDays()
    const [entry] = entriesIn(bench.stateFolder)
    if (entry === undefined) throw new Error('no record')
    const createdAt = '2026-02-01T00:00:00.000Z'
    const more = Array.from({ length: 1_000 }, (_, at) => having({ id: `op-${at}`, createdAt })(entry))
    putEntries(bench.stateFolder, more)
    const json = await bench.list()
    expect(json).toHaveLength(1_003)
    expect(Object.keys(json.at(-1) ?? {})).toEqual(FIELDS)
    const ndjson = (await bench.runPay('ops list -o ndjson')).stdout.trim().split('\n')
    expect(fieldsIn(`[${ndjson.join(',')}]`)).toEqual(json)
    expect((await bench.runPay('ops list -o id')).stdout.trim().split('\n')).toEqual(json.map(({ id }) => id))
    expect((await bench.runPay('ops list')).stdout.trim().split('\n')).toHaveLength(1_004)
  })
})

test('text from the ledger cannot control the terminal', async () => {
  const { bench, id } = await threeDays()
  const hostile = '\u001B[2J\u202Eevil'
  bench.rewrite(
    id,
    having({
      operation: hostile,
      target: hostile,
      user: hostile,
      profile: hostile,
      currencyCode: hostile,
      reason: hostile,
      host: hostile,
      version: hostile,
      idempotencyKey: hostile,
      baseUrl: hostile,
      note: hostile,
      resource: hostile,
      request: { params: { id: hostile }, body: hostile },
    }),
  )
  for (const words of [
    'ops list',
    'ops list --json',
    'ops list -o csv',
    `ops show ${id}`,
    `ops show ${id} --json`,
    'ops resolve --all',
    'ops resolve --all --dry-run',
    `ops abandon ${id} --dry-run`,
  ]) {
    const { stdout, stderr } = await bench.runPay(words)
    expect(`${stdout}${stderr}`.replaceAll('\n', ''), words).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(`${stdout}${stderr}`, words).toContain('evil')
  }
})

describe('a damaged ledger', () => {
  test('is reported, even with --quiet, and the other records are listed', async () => {
    const { bench, id } = await threeDays()
    bench.damage(id)
    inLedger(bench.stateFolder, (database) => database.run('UPDATE tally SET open = 7'))
    const ran = await bench.runPay('ops list -q --json')
    expect(ran.exitCode).toBe(0)
    expect(fieldsIn(ran.stdout)).toHaveLength(2)
    expect(ran.stderr).toContain(`pay ops abandon ${id}`)
    expect(ran.stderr).toContain('pay ops abandon --damaged-ledger')
  })

  test('that is no database is named, with the way on', async () => {
    const { bench } = await threeDays()
    writeFileSync(ledgerPath(bench.stateFolder), 'no database'.repeat(100))
    const refused = await bench.runPay('ops list')
    expect(refused).toMatchObject({ exitCode: 6, stdout: '' })
    expect(refused.stderr).toContain(ledgerPath(bench.stateFolder))
    expect(refused.stderr).toContain('pay ops abandon --damaged-ledger')
  })
})

describe('filters', () => {
  test('select by state, operation, day, target and profile', async () => {
    const { bench } = await threeDays()
    for (const [words, operations] of [
      ['--state in-doubt', ['payment.refund']],
      ['--state in-doubt,rejected', ['payment.refund']],
      ['--state confirmed', ['session.create', 'payment.create']],
      ['--operation session.create,payment.create', ['session.create', 'payment.create']],
      ['--operation api', []],
      ['--from 2026-03-02', ['session.create']],
      ['--to 2026-03-01', ['payment.refund', 'payment.create']],
      ['--from today', []],
      ['--from yesterday --to yesterday', ['session.create']],
      ['--from 3d', ['session.create', 'payment.refund', 'payment.create']],
      ['--from 2026-03-01T12:00:00Z --to 2026-03-01T13:00:00+01:00', ['payment.refund', 'payment.create']],
      ['--from 2026-03-01T12:00:01Z --to 2026-03-02T11:59:59Z', []],
      ['--target A-1', ['payment.create']],
      ['--target a-1', []],
      ['--state confirmed --operation payment.refund', []],
      ['--sandbox', ['session.create', 'payment.refund', 'payment.create']],
      ['--profile sandbox', ['session.create', 'payment.refund', 'payment.create']],
      ['--profile shop', []],
    ] as const)
      expect(
        (await bench.list(words)).map(({ operation }) => operation),
        words,
      ).toEqual(operations)
  })

  test('--target finds the operations on a payment or a token', async () => {
    const bench = createOpsBench()
    const { paymentId } = await bench.lostRefund()
    await ok(bench.runPay('--sandbox instrument vault tok_visa --customer-id c-1'))
    expect(await bench.list(`--target ${paymentId}`)).toHaveLength(1)
    const [vault] = await bench.list('--target tok_visa')
    expect(vault).toMatchObject({ operation: 'instrument.vault' })
    expect(vault?.['target']).toMatch(/^sha256:[\da-f]{64}$/)
    expect((await bench.runPay('ops list --target tok_visa')).stdout).toMatch(/ sha256:[\da-f]{8}… /)
  })

  test('the current profile is not a filter', async () => {
    const { bench } = await threeDays()
    for (const env of [{ PAY_PROFILE: 'shop' }, SERVICE_ENV])
      expect((await ok(bench.runPay('ops list -o id', { env }))).stdout.trim().split('\n')).toHaveLength(3)
  })

  test('an account from the environment has no profile', async () => {
    const bench = createOpsBench()
    const service = () => jsonAnswer(200, { clientToken: 't' })
    await ok(bench.runPay('session create --order-id A-1', { env: SERVICE_ENV, service }))
    expect(await bench.list()).toMatchObject([{ profile: null, operation: 'session.create' }])
  })

  test.each([
    ['--state indoubt', 'Did you mean in-doubt?'],
    ['--state in-doubt,', '--state takes sending, in-doubt, confirmed, rejected or abandoned, not ""'],
    ['--operation payment.refnd', 'Did you mean payment.refund?'],
    ['--operation payment.get', 'not "payment.get"'],
    ['--from tomorrow', '--from takes a day'],
    ['--to 2026-02-31', '--to'],
    ['--from 2026-03-02 --to 2026-03-01', '--from is after --to'],
    ["--target ''", '--target is empty'],
    ['--sandbox --profile shop', 'different accounts'],
    ['--limit 5', 'no flag --limit'],
    ['--dry-run', '--dry-run'],
    ['--once T-1', '--once'],
  ])('%s is refused', async (words, said) => {
    const bench = createOpsBench()
    const refused = await bench.runPay(`ops list ${words}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(said)
  })
})

describe('the order of a payment', () => {
  test('is recorded from what was read, from the response, and from --order', async () => {
    const bench = createOpsBench()
    const paymentId = await bench.payment('A-1')
    await ok(bench.runPay(`--sandbox payment refund ${paymentId} --amount 100`))
    await bench.lose('--sandbox payment refund --order A-1 --amount 200', 'POST /payments/*/refund')
    const records = await bench.list()
    expect(records.map(({ operation, orderId, currencyCode }) => [operation, orderId, currencyCode])).toEqual(
      [
        ['payment.refund', 'A-1', null],
        ['payment.refund', 'A-1', 'EUR'],
        ['payment.create', 'A-1', 'EUR'],
      ],
    )
  })

  test('is a column, and the currency stands as soon as one record of the payment has it', async () => {
    const { bench, paymentId } = await lostById()
    await ok(bench.runPay('--sandbox ops resolve --all'))
    await bench.lose(`--sandbox payment refund ${paymentId} --amount 300`, 'POST /payments/*/refund')
    const { stdout } = await bench.runPay('ops list')
    expect(stdout).toMatch(/^ID +WHEN +OPERATION +TARGET +ORDER +AMOUNT /)
    expect(stdout).toMatch(/A-1 +3\.00 EUR +\? IN DOUBT/)
    expect(stdout).not.toContain('minor units')
  })

  test('selects the writes on its payments, those whose record lacks it too', async () => {
    const { bench, paymentId } = await lostById()
    await bench.payment('A-2')
    const found = await bench.list('--order A-1')
    expect(found.map(({ operation, orderId }) => [operation, orderId])).toEqual([
      ['payment.refund', null],
      ['payment.create', 'A-1'],
    ])
    expect(found[0]).toMatchObject({ target: paymentId })
    expect(await bench.list('--order A-9')).toEqual([])
  })

  /** A refund by ID, in doubt: nothing has told its order or currency. */
  async function lostById() {
    const bench = createOpsBench()
    const paymentId = await bench.payment('A-1')
    await bench.lose(`--sandbox payment refund ${paymentId} --amount 200`, 'POST /payments/*/refund')
    return { bench, paymentId }
  }
})

test('--since is --from, and not beside it', async () => {
  const { bench } = await threeDays()
  expect(await bench.list('--since 2026-03-03')).toEqual(await bench.list('--from 2026-03-03'))
  expect(await bench.runPay('ops list --since 1d --from 1d')).toMatchObject({ exitCode: 2 })
})

test('--wide has the reasons', async () => {
  const bench = createOpsBench()
  const id = await bench.payment('A-1')
  await ok(
    bench.runPay(['--sandbox', 'payment', 'refund', id, '--amount', '100', '--reason', 'one shoe missing']),
  )
  expect((await bench.runPay('ops list')).stdout).not.toContain('one shoe')
  expect((await bench.runPay('ops list --wide')).stdout).toContain('one shoe missing')
})
