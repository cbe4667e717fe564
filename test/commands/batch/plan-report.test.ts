import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { HAS_SSH_KEYGEN, makeTeam } from '../../support/signing-team.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, read, rowsIn, write } = useBatchBench()

const settled: NonNullable<RunOptions['service']> = ({ url }) =>
  jsonAnswer(200, {
    id: new URL(url).pathname.split('/').at(-1),
    status: 'SETTLED',
    amount: 900_000,
    currencyCode: 'EUR',
    processor: { amountCaptured: 900_000, amountRefunded: 0 },
  })
const planOn = (words: string) =>
  bench().runPay(`batch plan refund in.csv --profile shop ${words}`, { service: settled })

describe('what planning reports', () => {
  test('are totals by verdict and currency, the largest amounts and the first rows that are not ready', async () => {
    const [euro, yen] = [await payment('o-1'), await payment('o-2', { amount: '1200 JPY' })]
    write(
      'in.csv',
      `paymentId,amount\n${euro},5.00 EUR\n${euro},1.00 EUR\n${yen},all\n${euro},99.00 EUR\nnope,0.01 EUR\n`,
    )
    const { stdout, stderr, exitCode } = await pay('batch plan refund in.csv')
    expect(exitCode).toBe(14)
    expect(stdout).toContain(
      'Rows       5: 3 ready, 2 not ready\n           1 row takes all that is left: row 3\n',
    )
    expect(stdout).toContain('Ledger     this machine only\n')
    expect(stdout).toMatch(/ready +2 +6\.00 EUR\nready +1 +1200 JPY\n/)
    expect(stdout).toMatch(/exceeds_remaining +1 +99\.00 EUR\n/)
    expect(stdout).toMatch(
      new RegExp(
        `Largest amounts\nROW +LINE +PAYMENT +ORDER +AMOUNT +NOTE\n +1 +2 +${euro} +o-1 +5\\.00 EUR`,
      ),
    )
    expect(stdout).toMatch(/ 5 +6 +nope +0\.01 EUR +not_found +there is no such payment/)
    expect(stderr).toContain('2 of 5 rows are not ready')
    expect(stderr).toContain(
      'pay --sandbox batch show in.plan.ndjson --verdict not_found --verdict exceeds_remaining',
    )
  })

  test('is the next command if nothing stops it', async () => {
    const id = await payment('o-1')
    write('in.csv', `paymentId,amount\n${id},5.00 EUR\n`)
    expect((await pay('batch plan refund in.csv')).stderr).toContain(
      'Next: pay --sandbox batch apply in.plan.ndjson\n',
    )
    write('in.csv', `paymentId,amount\n${id},5.00 EUR\nnope,0.01 EUR\n`)
    expect((await pay('batch plan refund in.csv')).stderr).not.toContain('Next: pay')
  })

  test('are the ten largest rows of each currency', async () => {
    const id = await payment('o-1', { amount: '900.00 EUR' })
    const amounts = Array.from({ length: 14 }, (_, at) => ((at * 5) % 14) + 1)
    const { stdout } = await plan(
      'refund',
      `paymentId,amount\n${amounts.map((one) => `${id},${one}`).join('\n')}\n`,
    )
    expect(JSON.parse(stdout).largest.map(({ amount }: { readonly amount: number }) => amount)).toEqual([
      14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
    ])
  })

  test('are the ready rows first among the verdicts, even if there are none', async () => {
    const { answer } = await plan('refund', 'paymentId,amount\nnope,1\n,x\n')
    expect(Object.entries(answer.verdicts)).toEqual([
      ['ready', 0],
      ['bad_row', 1],
      ['not_found', 1],
    ])
  })

  test('is nothing to apply for a file without rows', async () => {
    const { exitCode, answer, stderr } = await plan('refund', 'paymentId,amount\n')
    expect({ exitCode, rows: answer.rows }).toEqual({ exitCode: 0, rows: 0 })
    expect(stderr).toContain('No rows: there is nothing to apply in this plan.')
  })
})

describe('before a plan can be applied', () => {
  const obstaclesOf = async (words = '') => {
    write('in.csv', 'paymentId,amount\np1,5.00 EUR\np2,6000.00 EUR\n')
    const { stdout } = await planOn(`--json ${words}`)
    return JSON.parse(stdout).obstacles
  }

  test('a test profile has no obstacles', async () => {
    await storeProfile(bench())
    expect(await obstaclesOf()).toEqual([])
  })

  test('a live profile needs the expectations of a script, with exactly these totals', async () => {
    await storeProfile(bench(), { mode: 'live' })
    expect(await obstaclesOf()).toEqual([
      'the profile is live: a script needs --yes --expect-total "6005.00 EUR" --expect-count 2',
    ])
  })

  test('limits that are judged row by row are no obstacle of the plan', async () => {
    await storeProfile(bench(), {
      words: ['--max-amount', '7000 EUR', '--max-total', '7000 EUR/24h', '--max-count', '5/1h'],
    })
    expect(await obstaclesOf()).toEqual([])
  })

  test('a profile that forbids the operation leaves no row ready', async () => {
    await storeProfile(bench(), { words: ['--read-only'] })
    expect(await obstaclesOf()).toEqual(['no row is ready'])
    expect(rowsIn('in.plan.ndjson').map(({ verdict, message }) => [verdict, message])).toEqual([
      ['over_limit', expect.stringContaining('is read-only')],
      ['over_limit', expect.stringContaining('is read-only')],
    ])
  })

  // Without ssh-keygen there are no keys to sign with.
  test.skipIf(!HAS_SSH_KEYGEN)(
    'a profile with approvals needs signatures, and has no limit on amounts',
    async () => {
      const team = makeTeam(bench().folder, ['anna', 'ben'])
      await storeProfile(bench(), {
        words: ['--approvals', '1', '--signers', team.signersFile, '--max-amount', '10.00 EUR'],
      })
      expect(await obstaclesOf()).toEqual([
        'the profile requires approvals, and the planner has to sign first: plan again with --key',
      ])
      expect(rowsIn('in.plan.ndjson').map(({ verdict }) => verdict)).toEqual(['ready', 'ready'])
      expect(await obstaclesOf(`--key ${team.keyOf('anna')}`)).toEqual([
        'the profile requires 1 approval: pay batch approve in.plan.ndjson --key FILE',
      ])
      expect(JSON.parse(read('in.plan.ndjson').split('\n')[0] ?? '')).toMatchObject({
        planner: 'anna@example.com',
      })
      expect(read('in.plan.ndjson.sig.anna@example.com')).toContain('BEGIN SSH SIGNATURE')
    },
  )

  test('a planner who signs must be known', async () => {
    await storeProfile(bench())
    write('in.csv', 'paymentId,amount\np1,5.00 EUR\n')
    const unsigned = await planOn('--json --key no-such-key --principal anna@example.com')
    expect(unsigned.exitCode).toBe(2)
    expect(unsigned.stderr).toContain('The plan was written, but not signed')
    const unknown = await planOn('--json --key no-such-key')
    expect(unknown).toMatchObject({ exitCode: 2, requests: [] })
    expect(unknown.stderr).toContain('Missing: --principal')
    expect(await planOn('--json --principal anna@example.com')).toMatchObject({ exitCode: 2, requests: [] })
  })
})

test('what spreadsheets bring are decimal commas, other delimiters and encodings, and values to leave out', async () => {
  const id = await payment('o-1', { amount: '2000.00 EUR' })
  write(
    'map.yaml',
    'map: {paymentId: Zahlung, amount: Betrag, currencyCode: Währung}\nwhere: {Art: [Erstattung]}\n',
  )
  const csv = `Zahlung|Betrag|Währung|Art\n${id}|1.234,50|eur|Erstattung\n${id}|1,00|EUR|Gutschrift\n${id}|7,5 EUR||Erstattung\n`
  const planned = await plan('refund', csv, '--mapping map.yaml --decimal-comma --delimiter |')
  expect(planned.rows.map(({ row, verdict, amount }) => [row, verdict, amount])).toEqual([
    [1, 'ready', 123_450],
    [3, 'ready', 750],
  ])
  expect(planned.answer).toMatchObject({
    rows: 2,
    leftOut: [{ column: 'Art', value: 'Gutschrift', rows: 1 }],
  })
  expect(planned.stderr).toContain('The mapping leaves out 1 row: Art "Gutschrift" (1).')
  const all = await plan('refund', `paymentId,amount\n${id},100\n`)
  expect(all.answer).not.toHaveProperty('leftOut')
  expect(all.stderr).not.toContain('leaves out')
})
