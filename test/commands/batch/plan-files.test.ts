import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, read, rowsIn, write } = useBatchBench()

describe('the input of a plan', () => {
  test('may be NDJSON, with null for an empty field', async () => {
    const id = await payment('o-1')
    write(
      'in.ndjson',
      [
        JSON.stringify({ paymentId: id, amount: 700, ticket: null }),
        JSON.stringify({ orderId: 'o-1', amount: '8.00 EUR', reason: 'late' }),
        JSON.stringify({ paymentId: id, amout: 700 }),
        JSON.stringify({ paymentId: 5 }),
        '{"paymentId":',
        '"text"',
      ].join('\n'),
    )
    const ran = await pay('batch plan refund in.ndjson --json')
    expect(ran.exitCode).toBe(14)
    expect(
      rowsIn('in.plan.ndjson').map(({ verdict, amount, reason, message }) => [
        verdict,
        amount ?? reason ?? message,
      ]),
    ).toEqual([
      ['ready', 700],
      ['ready', 800],
      ['bad_row', 'amout "700" is not a field of a batch row (Did you mean amount?)'],
      ['bad_row', expect.stringContaining('paymentId "5" must be text')],
      ['bad_row', expect.stringContaining('the row is not JSON')],
      ['bad_row', 'the row is not a JSON object'],
    ])
  })

  test('may be compressed, and come from stdin', async () => {
    const id = await payment('o-1')
    writeFileSync(join(bench().folder, 'in.csv.gz'), gzipSync(`paymentId,amount\n${id},all\n`))
    expect((await pay('batch plan refund in.csv.gz')).exitCode).toBe(0)
    expect(rowsIn('in.plan.ndjson')).toHaveLength(1)
    const piped = await pay('batch plan refund - --format csv --out piped.plan.ndjson --json', {
      stdin: `paymentId,amount\n${id},all\n`,
    })
    expect(piped.exitCode).toBe(0)
    expect(JSON.parse(read('piped.plan.ndjson').split('\n')[0] ?? '')).toMatchObject({ input: '-' })
  })

  test('may have other column names and amounts in major units', async () => {
    const id = await payment('o-1')
    write(
      'map.yaml',
      'map:\n  paymentId: Zahlung\n  amount: Betrag\nconst:\n  currencyCode: EUR\n  ticket: INC-1\namounts: major\n',
    )
    const csv = `Zahlung;Betrag;Name\n${id};7.5;Anna\n`
    const planned = await plan('refund', csv, '--mapping map.yaml')
    expect(planned.rows).toEqual([
      expect.objectContaining({ verdict: 'ready', amount: 750, ticket: 'INC-1' }),
    ])
    expect(planned.stderr).toContain('Columns that are not used: Name.')
  })

  test('in major units needs a currency for every amount', async () => {
    const id = await payment('o-1')
    const { rows } = await plan('refund', `paymentId,amount\n${id},7.50\n`, '--amounts major')
    expect(rows[0]).toMatchObject({
      verdict: 'bad_row',
      message:
        "the amount needs a currency (Fill in currencyCode, use --const currencyCode=EUR, or write '7.00 EUR')",
    })
  })

  test('gives rows without a reason that of --reason', async () => {
    const id = await payment('o-1')
    const { rows } = await plan(
      'refund',
      `paymentId,amount,reason\n${id},1,\n${id},2,late\n`,
      '--reason outage',
    )
    expect(rows.map(({ reason }) => reason)).toEqual(['outage', 'late'])
  })

  test.each([
    ['no column for the payment', 'amount\n1\n', 'unusable_header'],
    ['a column with a typo', 'paymentId,ammount\np1,1\n', 'unusable_header'],
    ['a broken quote', 'paymentId,amount\n"p1\n', 'unusable_file'],
    ['nothing in it', '', 'unusable_file'],
  ])('is unusable with %s: exit 2 and no plan', async (_, csv, code) => {
    write('in.csv', csv)
    const ran = await pay('batch plan refund in.csv --json')
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({ code, outcome: 'none' })
    expect(readdirSync(bench().folder).filter((name) => name.includes('plan'))).toEqual([])
  })

  test.each(['plan refund', 'plan cancel', 'template'])('is refused by %s if it is a plan', async (words) => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},all\n`)
    write('renamed.csv', read('in.plan.ndjson'))
    for (const name of ['in.plan.ndjson', 'renamed.csv']) {
      const ran = await pay(`batch ${words} ${name} --json`)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(errorOf(ran)).toMatchObject({
        code: 'unusable_file',
        message: `${name} is a batch plan, not a file of rows`,
        hint: expect.stringContaining('pay batch apply'),
      })
    }
    expect(existsSync(join(bench().folder, 'in.plan.plan.ndjson'))).toBe(false)
  })
})

describe('the plan file', () => {
  test('is for its owner alone, names no key, and says who planned what', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},all\n`)
    expect(statSync(join(bench().folder, 'in.plan.ndjson')).mode & 0o777).toBe(0o600)
    const text = read('in.plan.ndjson')
    expect(text).not.toContain('sandbox_all')
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
      type: 'plan',
      version: 1,
      operation: 'refund',
      profile: 'sandbox',
      mode: 'test',
      baseUrl: 'http://sandbox.localhost',
      planner: 'tester@test-machine',
      createdAt: '2026-03-01T12:00:00.000Z',
      input: 'in.csv',
      source: { format: 'csv', delimiter: ',', encoding: 'utf-8', hasMark: false, path: 'in.csv' },
    })
  })

  test('replaces an earlier plan that was never begun, and says so', async () => {
    const id = await payment('o-1')
    const first = await plan('refund', `paymentId,amount\n${id},all\n`)
    const second = await plan('refund', `paymentId,amount\n${id},all\n`)
    expect(second.answer.planId).not.toBe(first.answer.planId)
    expect(second.stderr).toContain(
      'Replaced the plan in.plan.ndjson of 2026-03-01 12:00 UTC, which was not begun on this machine.',
    )
  })

  test('keeps an earlier plan if the input cannot be used, and says nothing of replacing it', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount\n${id},all\n`)
    const before = read('in.plan.ndjson')
    write('in.csv', 'Zahlung\np1\n')
    const ran = await pay('batch plan refund in.csv --json')
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).not.toContain('Replaced')
    expect(read('in.plan.ndjson')).toBe(before)
  })

  test('never replaces a file that is no plan', async () => {
    write('in.csv', 'paymentId,amount\np1,all\n')
    write('notes.txt', 'mine')
    const ran = await pay('batch plan refund in.csv --out notes.txt --json')
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(ran.stderr).toContain('"code":"plan_exists"')
    expect(read('notes.txt')).toBe('mine')
  })

  test('is never written where pay keeps its own files, whatever names the place', async () => {
    const { folder, stateFolder } = bench()
    mkdirSync(stateFolder, { recursive: true })
    symlinkSync(stateFolder, join(folder, 'linked'))
    for (const name of ['in.csv', 'linked/in.csv']) write(name, 'paymentId,amount\np1,all\n')
    for (const words of ['in.csv --out linked/new.plan.ndjson', 'linked/in.csv']) {
      const ran = await pay(`batch plan refund ${words} --json`)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(errorOf(ran)).toMatchObject({ code: 'unwritable_file', outcome: 'none' })
    }
    expect(readdirSync(stateFolder).filter((name) => name.includes('plan'))).toEqual([])
  })

  test.each([
    ['batch plan refund in.csv --out in.csv', 'two_sources'],
    ['batch plan refund - --format csv', 'missing_input'],
    ['batch plan refund in.csv --out no/such/folder/plan', 'unwritable_file'],
    ['batch plan refund', 'missing_input'],
    ['batch plan', 'missing_input'],
    ['batch plan void in.csv', 'bad_value'],
    ['batch plan refund in.csv --once T-1', 'bad_value'],
  ])('is not made by "%s"', async (words, code) => {
    write('in.csv', 'paymentId,amount\np1,all\n')
    const ran = await pay(`${words} --json`)
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(ran.stderr).toContain(`"code":"${code}"`)
    expect(existsSync(join(bench().folder, 'in.plan.ndjson'))).toBe(false)
  })
})
