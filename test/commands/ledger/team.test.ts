import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { hasPostgres } from '../../client/ledger/team/postgres.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { PAYMENT, answers, lost, useTeam } from './team-machine.ts'

describe.skipIf(!hasPostgres)("a team's ledger", () => {
  const { machine, sql } = useTeam()
  beforeEach(() => sql('TRUNCATE writes'))

  test('blocks a write on every machine, and names whose it is', async () => {
    const first = await machine('key-a').pay('payment refund p1 --amount 500 --yes --max-retries 0', {
      service: lost,
    })
    expect(first.exitCode).toBe(10)
    const second = await machine('key-b').pay('payment refund p1 --amount 500 --yes --again')
    expect(second).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('by tester@test-machine') })
    expect(second.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('knows equal writes and tickets of the whole team', async () => {
    const { pay } = machine('key-a')
    expect((await pay('payment refund p1 --amount 500 --yes')).exitCode).toBe(0)
    expect(
      (
        await pay('payment refund p2 --amount 500 --yes --once T-1', {
          service: ({ method }) => (method === 'GET' ? jsonAnswer(200, { id: 'p2' }) : answers()),
        })
      ).exitCode,
    ).toBe(10)
    const other = machine('key-b')
    const repeated = await other.pay('payment refund p1 --amount 500 --yes --json')
    expect(repeated).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('"duplicate"') })
    expect((await other.pay('payment refund p1 --amount 500 --yes --again')).exitCode).toBe(0)
  })

  test('lets a colleague with another key resolve by reading only, once the lease is given up', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes --max-retries 0', { service: lost })
    const colleague = machine('key-b')
    const resolved = await colleague.pay('ops resolve --all --yes')
    expect(resolved.requests.every(({ method }) => method === 'GET')).toBe(true)
    expect(resolved.stderr + resolved.stdout).toContain('another API key')
  })

  test("keeps a colleague's write from being resolved or abandoned before its lease has passed", async () => {
    const colleague = machine('key-a')
    const tries: number[] = []
    const sent = await machine('key-a').pay('payment refund p1 --amount 500 --yes', {
      service: async ({ method }) => {
        if (method === 'GET') return answers()
        const [{ operationId }] = JSON.parse(
          (await colleague.pay('ledger status --query open --json')).stdout,
        )
        tries.push((await colleague.pay(`ops abandon ${operationId} --yes`)).exitCode)
        tries.push((await colleague.pay(`ops resolve ${operationId} --yes`)).exitCode)
        tries.push((await colleague.pay('ops resolve --all --yes')).exitCode)
        return answers()
      },
    })
    expect([sent.exitCode, ...tries]).toEqual([0, 6, 6, 10])
  })

  test('lists what the team did, or what is mine', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes')
    await sql(`INSERT INTO accounts VALUES ('other', 0, 'x') ON CONFLICT DO NOTHING`)
    const { pay } = machine('key-b')
    const [record] = JSON.parse((await pay('ops list --json')).stdout)
    expect(record).toMatchObject({
      account: 'acme',
      owner: 'tester@test-machine',
      leaseUntil: null,
      state: 'confirmed',
    })
    expect(JSON.parse((await pay('ops list --mine --json')).stdout)).toHaveLength(1)
    expect(
      JSON.parse((await pay('ops list --json', { env: { PAY_LEDGER_ACCOUNT: 'other' } })).stdout),
    ).toEqual([])
  })

  test('is compared with the payments, whoever wrote', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes')
    const verified = await machine('key-b').pay('ops verify --json')
    expect(JSON.parse(verified.stdout)).toMatchObject({ checked: 1, rows: [{ verdict: 'missing' }] })
  })

  test('is set up once, and again without harm', async () => {
    const { pay } = machine('key-a')
    const again = await pay('ledger init --json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      isNew: false,
      version: 2,
      grants: [expect.stringMatching(/^GRANT pay_writer TO/), expect.any(String)],
    })
    await sql('UPDATE ledger SET version = 1')
    expect(await pay('ledger init')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('ledger init --upgrade'),
    })
    expect(await pay('payment refund p1 --amount 500 --yes')).toMatchObject({ exitCode: 2 })
    expect((await pay('ledger init --upgrade')).exitCode).toBe(0)
    await sql('UPDATE ledger SET version = 3')
    expect(await pay('ledger init --upgrade')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Update pay'),
    })
    await sql('UPDATE ledger SET version = 2')
  })
})

describe.skipIf(!hasPostgres)('joining', () => {
  const team = useTeam()
  const { sql } = team

  /** A machine with a profile, and nothing in the environment. */
  async function profiled(key: string) {
    const bench = team.newBench()
    await bench.runPay('profile add shop --base-url https://api.example.com --test --api-key-stdin', {
      stdin: key,
    })
    const pay = (line: string | readonly string[], options: RunOptions = {}) =>
      bench.runPay(line, { service: answers, ...options, env: { HOME: bench.folder, ...options.env } })
    return { bench, pay, setLedger: () => pay(['profile', 'set', 'shop', '--ledger', team.url]) }
  }

  test('copies tickets and the last day, remembers the ledger, and asks to go back', async () => {
    const { pay, setLedger } = await profiled('key-a')
    expect(
      (
        await pay('payment refund p1 --amount 300 --yes --once T-9', {
          service: ({ method }) => jsonAnswer(200, method === 'GET' ? PAYMENT : { ...PAYMENT, id: 'p1' }),
        })
      ).exitCode,
    ).toBe(0)
    expect((await setLedger()).exitCode).toBe(0)
    expect(await pay('payment refund p1 --amount 200 --yes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('pay ledger join'),
    })
    expect((await pay('ledger join shop-eu')).exitCode).toBe(5)
    const joined = await pay('ledger join shop-eu --create --json')
    expect(JSON.parse(joined.stdout)).toMatchObject({ account: 'shop-eu', copied: 1 })
    const colleague = await profiled('key-b')
    await colleague.setLedger()
    await colleague.pay('ledger join shop-eu')
    expect(await colleague.pay('payment refund p1 --amount 300 --yes --once T-9')).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('Already done for this ticket'),
    })
    expect((await pay('ledger join another --create')).exitCode).toBe(6)
    await sql("UPDATE ledger SET id = 'moved'")
    expect(await pay('payment refund p1 --amount 200 --yes --json')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('ledger_other'),
    })
    expect((await pay('profile set shop --ledger local')).exitCode).toBe(2)
    await sql("UPDATE ledger SET id = 'back'")
  })

  test('is refused while this machine has open writes, and so is PAY_LEDGER', async () => {
    const { pay, setLedger } = await profiled('key-c')
    expect(
      (await pay('payment refund p3 --amount 300 --yes --max-retries 0', { service: lost })).exitCode,
    ).toBe(10)
    expect(await setLedger()).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('pay ops resolve'),
    })
    const elsewhere = { PAY_LEDGER: team.url, PAY_LEDGER_ACCOUNT: 'acme' }
    const r = await pay('payment refund p4 --amount 300 --yes', { env: elsewhere })
    expect(r).toMatchObject({ exitCode: 6 })
    expect(r.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('fixes the schema: a later one of the same ledger that comes first on the path takes nothing', async () => {
    const { bench, pay, setLedger } = await profiled('key-f')
    const stored = () => readFileSync(join(bench.configFolder, 'config.json'), 'utf8')
    await setLedger()
    expect((await pay('ledger join schemed --create')).exitCode).toBe(0)
    await sql('CREATE SCHEMA owner')
    for (const table of ['ledger', 'accounts', 'members', 'writes']) {
      await sql(`CREATE TABLE owner.${table} (LIKE public.${table} INCLUDING ALL)`)
      if (table !== 'writes') await sql(`INSERT INTO owner.${table} SELECT * FROM public.${table}`)
    }
    expect((await pay('payment refund p1 --amount 111 --yes')).exitCode).toBe(0)
    expect(await sql('SELECT id FROM owner.writes')).toEqual([])
    expect((await pay('profile show shop --json')).stdout).not.toContain('ledgerSchema')
    expect(stored()).toMatch(/"ledgerSchema":\s*"public"/)
    await sql('DROP SCHEMA owner CASCADE')
    await pay(['profile', 'set', 'shop', '--ledger', `${team.url}&sslrootcert=x`])
    expect(stored()).not.toContain('ledgerSchema')
  })

  test('may be required: nothing is sent without it', async () => {
    const { pay } = await profiled('key-d')
    await pay('profile set shop --ledger required')
    const r = await pay('payment refund p1 --amount 300 --yes')
    expect(r).toMatchObject({ exitCode: 12 })
    expect(r.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(
      (
        await pay('payment refund p1 --amount 300 --yes', {
          env: { PAY_LEDGER: team.url, PAY_LEDGER_ACCOUNT: 'acme' },
        })
      ).exitCode,
    ).toBe(0)
  })

  test('shows in whoami', async () => {
    const { pay, setLedger } = await profiled('key-e')
    expect((await pay('whoami')).stdout).toContain('this machine only')
    await setLedger()
    expect((await pay('whoami')).stdout).toContain(team.url)
  })
})
