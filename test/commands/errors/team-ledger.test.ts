import { expect, test } from 'vitest'
import { hasPostgres, postgres, teamDatabase } from '../../client/ledger/team/postgres.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { answers, teamEnv, useTeam } from '../ledger/team-machine.ts'

const team = useTeam()

const REFUND = 'payment refund p1 --amount 500 --yes'

test.skipIf(!hasPostgres)('the ledger of a team', async () => {
  const bench = team.newBench()
  const empty = await teamDatabase({ isEmpty: true })
  const other = await teamDatabase()
  await other.sql('UPDATE ledger SET version = 99')
  const foreign = await teamDatabase({ isEmpty: true })
  await foreign.sql('CREATE TABLE writes (a int)')
  const bare = await teamDatabase({ isEmpty: true })
  await bare.sql(`ALTER DATABASE ${bare.name} SET search_path = nowhere`)
  await team.sql('DO $$ BEGIN CREATE ROLE stranger LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$')
  const strangerUrl = (await postgres()).urlOf(team.name, 'stranger')
  const typed = (line: string, more: Readonly<Record<string, string>> = {}): Mistake => [
    line,
    { service: answers, env: { ...teamEnv(team.url, bench), ...more } },
  ]
  const lines: readonly Mistake[] = [
    typed('ledger join nobody'),
    () => bench.runPay('ledger join acme --create', { env: teamEnv(team.url, bench) }),
    typed('ledger join other --create'),
    typed('ledger limit --max-count 5/1h', { PAY_LEDGER: strangerUrl }),
    typed('ledger init', { PAY_LEDGER: strangerUrl }),
    typed('ledger init', { PAY_LEDGER: foreign.url }),
    typed('ledger init', { PAY_LEDGER: bare.url }),
    typed('ledger init', { PAY_LEDGER: other.url }),
    typed(REFUND, { PAY_LEDGER: other.url }),
    typed(REFUND, { PAY_LEDGER: empty.url }),
    typed(REFUND, { PAY_LEDGER: strangerUrl }),
    typed(REFUND, { PAY_LEDGER_ACCOUNT: 'nobody' }),
    typed(REFUND, { PAY_LEDGER_ACCOUNT: '' }),
    () => team.sql(`UPDATE accounts SET limits = '{"maxCount":"many"}'`),
    typed(REFUND),
    () => team.sql('UPDATE accounts SET limits = NULL'),
    () => team.sql('DROP INDEX open_target'),
    typed(REFUND),
  ]
  const names = { DATABASE: team.name }
  const said = await transcriptOf(bench, lines, names)
  // Where the server is, which differs from run to run.
  const plain = said.replaceAll(/^\$ .*?pay /gm, '$ pay ').replaceAll(/postgres:\/\/\S+/g, 'postgres://…')
  const doctor = await bench.runPay('doctor', { env: teamEnv(team.url, bench) })
  expect(doctor.stdout).toContain('the index open_target is missing or not valid, so no write can begin')
  expect(doctor.stdout).toContain("The database's owner has to recreate it")
  await expect(plain).toMatchFileSnapshot('../../golden/errors/team-ledger.txt')
})
