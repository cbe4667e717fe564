import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { inLedger } from '../../support/ledger-rows.ts'
import { fieldsIn, threeDays } from './ops-bench.ts'

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
