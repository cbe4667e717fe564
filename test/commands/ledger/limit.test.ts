import { beforeEach, describe, expect, test } from 'vitest'
import { hasPostgres } from '../../client/ledger/team/postgres.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { useTeam } from './team-machine.ts'

const pageOf = ({ url }: { readonly url: string }) =>
  jsonAnswer(200, {
    id: /payments\/([^/]+)/.exec(url)?.[1] ?? '',
    status: 'SETTLED',
    amount: 100_000,
    currencyCode: 'EUR',
    amountCaptured: 100_000,
  })

describe.skipIf(!hasPostgres)("the limits of a team's account", () => {
  const team = useTeam()
  const { machine, sql } = team
  beforeEach(() => sql('TRUNCATE writes; UPDATE accounts SET limits = NULL'))
  const limit = (words: readonly string[]) => machine('key-a').pay(`ledger limit ${words.join(' ')} --json`)
  const refund = (key: string, payment: string, amount: string) =>
    machine(key).pay(`payment refund ${payment} --amount '${amount}' --yes --json`, { service: pageOf })

  test('hold for every member, whatever their profile says', async () => {
    const set = await limit(["--max-total '10 EUR/24h'", '--max-count 3/1h'])
    expect(JSON.parse(set.stdout)).toEqual({
      account: 'acme',
      limits: [
        { limit: '10.00 EUR in 24h', left: '10.00 EUR' },
        { limit: '3 writes in 1h', left: '3 writes' },
      ],
    })
    await refund('key-a', 'p1', '6 EUR')
    const refused = await refund('key-b', 'p2', '5 EUR')
    expect(refused).toMatchObject({ exitCode: 12, stdout: '' })
    expect(errorOf(refused)).toMatchObject({ code: 'over_limit_in_time', outcome: 'none' })
    expect(writesOf(refused)).toEqual([])
    expect(JSON.parse((await machine('key-b').pay('ledger limit --json')).stdout)).toMatchObject({
      limits: [{ left: '4.00 EUR' }, { left: '2 writes' }],
    })
  })

  test('are replaced by a second call, and lifted by none', async () => {
    await limit(["--max-total '10 EUR/24h'", '--max-count 3/1h'])
    expect(JSON.parse((await limit(["--max-total '20 EUR/24h'"])).stdout).limits).toHaveLength(1)
    expect(JSON.parse((await limit(['--max-total none'])).stdout).limits).toEqual([])
    expect((await machine('key-a').pay('ledger limit')).stdout).toMatch(/Limits +none/)
  })

  test('refuse an amount or a currency that is unknown, and a currency without a limit', async () => {
    await limit(["--max-total '10 EUR/24h'"])
    const unknown = await machine('key-a').pay('payment refund p1 --yes --json', { service: pageOf })
    expect(unknown.exitCode).toBe(12)
    const usd = { id: 'p1', status: 'SETTLED', amount: 1000, currencyCode: 'USD', amountCaptured: 1000 }
    const other = await machine('key-a').pay("payment refund p1 --amount '1 USD' --yes --json", {
      service: () => jsonAnswer(200, usd),
    })
    expect(other).toMatchObject({ exitCode: 12 })
    expect(writesOf(other)).toEqual([])
  })

  test('can be set by the owner alone', async () => {
    await sql(
      `DO $$ BEGIN CREATE ROLE limited LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$; GRANT pay_writer TO limited`,
    )
    const url = team.url.replace(/\/\/[^@]*@/, '//limited@')
    const refused = await machine('key-a').pay("ledger limit --max-total '10 EUR/24h' --json", {
      env: { PAY_LEDGER: url },
    })
    expect(refused.exitCode).toBe(4)
    expect(errorOf(refused)).toMatchObject({
      code: 'ledger_refused',
      message: expect.stringContaining('owner'),
    })
    expect(JSON.parse((await machine('key-a').pay('ledger limit --json')).stdout).limits).toEqual([])
    await expect(sql('SET ROLE pay_writer; UPDATE accounts SET limits = NULL')).rejects.toThrow(
      'permission denied',
    )
  })

  test('that a newer version of pay has set refuse every write', async () => {
    await sql(`UPDATE accounts SET limits = '{"maxTotal":{},"newer":1}'`)
    const refused = await refund('key-a', 'p1', '1 EUR')
    expect(refused).toMatchObject({ exitCode: 12, stderr: expect.stringContaining('newer version') })
    expect(writesOf(refused)).toEqual([])
  })

  test('are never passed by refunds that begin at the same time', async () => {
    await limit(["--max-total '10 EUR/24h'"])
    const machines = ['key-a', 'key-b', 'key-c', 'key-d'].map((key) => machine(key))
    const refunds = machines.flatMap(({ pay }, index) =>
      [1, 2, 3].map((number) =>
        pay(`payment refund q${index}${number} --amount '3 EUR' --yes`, { service: pageOf }),
      ),
    )
    const codes = (await Promise.all(refunds)).map(({ exitCode }) => exitCode)
    expect(codes.toSorted((one, other) => one - other)).toEqual([
      0,
      0,
      0,
      ...Array.from({ length: 9 }, () => 12),
    ])
  })

  test('no account but a team’s has them', async () => {
    const local = await machine('key-a').pay('ledger limit', { env: { PAY_LEDGER: '' } })
    expect(local).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("No team's ledger is named") })
  })
})
