import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const record = (paymentId: string, more: object = {}) => ({
  paymentId,
  currencyCode: 'EUR',
  processor: { name: 'ACME' },
  amount: 2500,
  createdAt: '2026-01-31T09:30:00Z',
  order: { id: 'A-9' },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  ...more,
})
const lines = (...records: readonly unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')
const push = (stdin: string, words = '', options: RunOptions = {}) =>
  bench.runPay(`--sandbox obs push --data - --json ${words}`, { stdin, ...options })
const bodies = (requests: readonly { readonly body: string | undefined }[]): readonly unknown[] =>
  requests.map(({ body }) => JSON.parse(body ?? ''))

describe('several records on stdin', () => {
  test('become records, with a summary', async () => {
    const ran = await push(lines(record('a'), record('b'), record('c')))
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, created: 3, failed: 0, unknown: 0 })
    expect(bodies(ran.requests)).toEqual([record('a'), record('b'), record('c')])
  })

  test('fail if they exist, with row and reason; the others are recorded', async () => {
    await push(lines(record('b')))
    const ran = await push(lines(record('a'), record('b'), record('c')))
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, created: 2, failed: 1 })
    expect(errorOf(ran)).toMatchObject({
      code: 'rows_failed',
      exitCode: 14,
      validationErrors: [{ path: 'row 2 (line 2) b', description: expect.stringContaining('already') }],
    })
  })

  test('fail without being sent if they are not records', async () => {
    const ran = await push(`${lines(record('a'))}\n{"paymentId":\n[]\n${lines(record('d', { amount: -1 }))}`)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, created: 1, failed: 3 })
    expect(ran.requests).toHaveLength(1)
  })

  test('-o id prints the paymentIds of the new records in order, one per line', async () => {
    const pushIds = (stdin: string, words = '', options: RunOptions = {}) =>
      bench.runPay(`--sandbox obs push --data - -o id ${words}`.trim(), { stdin, ...options })
    const all = await pushIds(lines(record('c'), record('a,"1"'), record('=b')))
    expect(all).toMatchObject({ exitCode: 0, stdout: 'c\na,"1"\n=b\n' })
    const some = await pushIds(lines(record('d'), record('c'), record('e')))
    expect(some).toMatchObject({ exitCode: 14, stdout: 'd\ne\n' })
    expect(await pushIds(lines(record('c'), record('c')))).toMatchObject({ exitCode: 14, stdout: '' })
    expect(readdirSync(join(bench.stateFolder, 'imports'))).toEqual([])
  })

  test('-o id includes the records of an interrupted run', async () => {
    const stop = new AbortController()
    const stdin = lines(...Array.from({ length: 3000 }, (_, at) => record(`n${at}`)))
    const service: RunOptions['service'] = ({ body }) => {
      if (body?.includes('"n40"') === true) stop.abort('SIGINT')
      return jsonAnswer(200, JSON.parse(body ?? ''))
    }
    const run = (words: string, signal?: AbortSignal) =>
      bench.runPay(`obs push --data - ${words}`, {
        stdin,
        env: SERVICE_ENV,
        service,
        ...(signal === undefined ? {} : { signal }),
      })
    const first = await run('--json', stop.signal)
    expect(first.exitCode).not.toBe(0)
    const { rows } = JSON.parse(first.stdout)
    expect(rows).toBeLessThan(3000)
    const second = await run('-o id')
    expect(second.exitCode).toBe(0)
    expect(second.requests.length).toBe(3000 - rows)
    expect(second.stdout.trim().split('\n')).toEqual(Array.from({ length: 3000 }, (_, at) => `n${at}`))
  })

  test('flags and --set apply to all of them and override their fields', async () => {
    const ran = await push(
      lines(record('a'), record('b', { metadata: { x: 1 } })),
      '--processor OTHER --set metadata.batch=7',
    )
    expect(bodies(ran.requests)).toEqual([
      record('a', { processor: { name: 'OTHER' }, metadata: { batch: '7' } }),
      record('b', { processor: { name: 'OTHER' }, metadata: { x: 1, batch: '7' } }),
    ])
  })

  test('fields set by flags can be missing from the records', async () => {
    const { processor: _processor, ...bare } = record('a')
    const ran = await push(lines(bare, { ...bare, paymentId: 'b' }), '--processor ACME')
    expect(ran).toMatchObject({ exitCode: 0 })
  })

  test('a shared paymentId is refused', async () => {
    const ran = await push(lines(record('a'), record('b')), '--payment-id c')
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  })

  test('--dry-run checks them and sends nothing', async () => {
    const ran = await push(lines(record('a'), record('b', { amount: -1 })), '--dry-run')
    expect(ran).toMatchObject({ exitCode: 14, requests: [] })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, bad: 1 })
  })

  test('--curl is refused', async () => {
    expect(await push(lines(record('a'), record('b')), '--curl')).toMatchObject({ exitCode: 2, requests: [] })
  })

  test('--no-validate sends them as they are', async () => {
    const ran = await push(lines(record('a', { other: 1 }), record('b')), '--no-validate', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(200, { amount: 1 }),
    })
    expect(ran.requests).toHaveLength(2)
  })

  test('without the scope, the error is the same as for a single record', async () => {
    const ran = await bench.runPay('obs push --data - --json', {
      stdin: lines(record('a'), record('b')),
      env: SERVICE_ENV,
      service: () => jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'no scope' } }),
    })
    expect(ran).toMatchObject({ exitCode: 4, stdout: '' })
  })
})

describe('a single value on stdin', () => {
  test.each([
    ['on one line', lines(record('a'))],
    ['without a line break', JSON.stringify(record('a'))],
    ['over many lines', JSON.stringify(record('a'), null, 2)],
    ['between empty lines', `\n\n${lines(record('a'))}\n \n`],
    ['with a byte order mark', `\uFEFF${lines(record('a'))}`],
  ])('is one record, as %s', async (_, stdin) => {
    const ran = await push(stdin)
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ paymentId: 'a' })
  })

  test.each([
    ['nothing', '', 'empty'],
    ['half a record', '{"paymentId":', 'not valid JSON'],
    ['a list', '[{}]', 'list'],
    ['two records on several lines', '{"a":1\n}\n{"a":2\n}', 'not valid JSON'],
  ])('is refused as %s', async (_, stdin, words) => {
    const ran = await push(stdin)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(ran.stderr).toContain(words)
  })

  test('is refused if it is too long for a record', async () => {
    const ran = await push(`{"a":"${'x'.repeat(11 * 1024 * 1024)}"}`)
    expect(ran).toMatchObject({ exitCode: 2, requests: [], stderr: expect.stringContaining('too_large') })
  })
})
