import { beforeEach, describe, expect, test } from 'vitest'
import { hasPostgres, postgres } from '../../client/ledger/team/postgres.ts'
import { lost, useTeam } from './team-machine.ts'

describe.skipIf(!hasPostgres)("a member of a team's ledger, with SQL", () => {
  const team = useTeam()
  const { machine, sql } = team
  beforeEach(() => sql('TRUNCATE writes'))

  test('who changes a row of an open write frees no target, and all commands that look say so', async () => {
    const { pay } = machine('key-a')
    const refund = 'payment refund p1 --amount 500 --yes --max-retries 0'
    expect((await pay(refund, { service: lost })).exitCode).toBe(10)
    await sql("SET ROLE pay_writer; UPDATE writes SET state = 'rejected'")
    const again = await machine('key-b').pay(`${refund} --again --json`)
    expect(again).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('"ledger_damaged"') })
    expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    for (const line of ['ops list', 'ops list --state in-doubt'])
      expect((await pay(line)).stderr).toMatch(/record \S+ is damaged/)
    expect(await pay('ops resolve --all --yes')).toMatchObject({ exitCode: 6 })
    expect((await pay('doctor')).stdout).toContain('is damaged')
  })

  test('who may do more than a member needs is warned of by doctor', async () => {
    const { urlOf } = await postgres()
    const user = `more_${process.pid}`
    await sql(`CREATE ROLE ${user} LOGIN IN ROLE pay_writer`)
    const env = { PAY_LEDGER: urlOf(team.name, user) }
    const doctor = async () => (await machine('key-a').pay('doctor', { env })).stdout
    expect(await doctor()).not.toContain('more than a member needs')
    for (const right of [
      'DELETE ON writes',
      'UPDATE (target) ON writes',
      'UPDATE ON ledger',
      'DELETE ON members',
    ]) {
      await sql(`GRANT ${right} TO ${user}`)
      expect(await doctor(), right).toContain('more than a member needs')
      await sql(`REVOKE ${right} FROM ${user}`)
    }
    await sql(`DROP ROLE ${user}`)
  })

  test('who drops an index is named by doctor, with what mends it', async () => {
    await sql('DROP INDEX open_target')
    const { pay } = machine('key-a')
    const { stdout } = await pay('doctor')
    expect(stdout).toContain('the index open_target is missing')
    expect(stdout).toContain('pay ledger init --upgrade')
    expect((await pay('ops list')).exitCode).toBe(0)
    const refund = await pay('payment refund p1 --amount 500 --yes --json')
    expect(refund).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"ledger_schema"') })
    expect(refund.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect((await pay('ledger init --upgrade')).exitCode).toBe(0)
    expect((await pay('payment refund p1 --amount 500 --yes')).exitCode).toBe(0)
  })

  test('removes no row, and changes none that has ended', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes')
    await expect(sql("UPDATE writes SET state = 'rejected'")).rejects.toThrow('never changes')
    await expect(sql('DELETE FROM writes')).rejects.toThrow('none is removed')
    await expect(sql('SET ROLE pay_writer; DELETE FROM writes')).rejects.toThrow('permission denied')
    await expect(sql('SET ROLE pay_writer; UPDATE writes SET target = NULL')).rejects.toThrow(
      'permission denied',
    )
    await expect(sql("SET ROLE pay_reader; INSERT INTO accounts VALUES ('x', 0, 'x')")).rejects.toThrow(
      'permission denied',
    )
  })
})
