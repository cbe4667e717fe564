import { ledgerPath } from '../../../../src/client/ledger/ledger-file.ts'
import { damage, inLedger, recordsIn } from '../../../support/ledger-rows.ts'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../../src/client/http/transport-port.ts'
import { useDoctor } from './use-doctor.ts'

const doctor = useDoctor()
const { diagnose, finding } = doctor

describe('local checks', () => {
  const create = () =>
    doctor.bench.runPay("--sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1")

  test('show a write in doubt with the command that resolves it', async () => {
    const service = () => {
      throw new TransportFailure('timeout', true, 'no answer')
    }
    await doctor.bench.runPay('--sandbox payment refund p1 --amount 500 --max-retries 0', { service })
    const { findings, exitCode } = await diagnose()
    expect(exitCode).toBe(0)
    expect(findings.find(({ check }) => check === 'open write')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('payment.refund'),
      next: [expect.stringMatching(/^pay ops resolve [\w-]+$/)],
    })
  })

  test('warn about a damaged record, and about a missing one', async () => {
    await create()
    const [record] = recordsIn(doctor.bench.stateFolder)
    const id = record?.id ?? ''
    damage(doctor.bench.stateFolder, id)
    inLedger(doctor.bench.stateFolder, (database) => database.run('UPDATE tally SET open = 3'))
    const found = (await diagnose()).findings.filter(({ check }) => check === 'ledger')
    for (const next of [`pay ops abandon ${id}`, 'pay ops abandon --damaged-ledger'])
      expect(found).toContainEqual(expect.objectContaining({ status: 'warning', next: [next] }))
  })

  test('say that a table or an index is missing, which keeps every write from being sent', async () => {
    await create()
    inLedger(doctor.bench.stateFolder, (database) => database.run('DROP INDEX used_ticket'))
    const { findings, exitCode } = await diagnose()
    expect(exitCode).not.toBe(0)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'ledger',
        status: 'problem',
        says: expect.stringContaining('used_ticket'),
        next: ['pay ops abandon --damaged-ledger'],
      }),
    )
  })

  test('check the sandbox in use; a file that is not a database is a problem', async () => {
    await create()
    const path = join(doctor.bench.stateFolder, 'sandbox/sandbox.db')
    expect(await finding('sandbox')).toMatchObject({ status: 'ok', says: path })
    writeFileSync(path, 'nothing')
    expect(await finding('sandbox')).toMatchObject({ status: 'problem', next: ['pay sandbox reset'] })
    await doctor.bench.runPay('sandbox reset')
    const begun = join(doctor.bench.stateFolder, 'sandbox/sandbox-2.db')
    expect(await finding('sandbox')).toMatchObject({ status: 'ok', says: begun })
  })

  test('warn about a folder that others can read, with the command that closes it', async () => {
    chmodSync(doctor.bench.stateFolder, 0o755)
    expect(await finding('state folder')).toMatchObject({
      status: 'warning',
      next: [`chmod 700 ${doctor.bench.stateFolder}`],
    })
  })

  test('accept missing folders', async () => {
    rmSync(doctor.bench.configFolder, { recursive: true })
    expect(await finding('config folder')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('does not exist yet'),
    })
  })

  test('do not change the ledger', async () => {
    await create()
    const before = readFileSync(ledgerPath(doctor.bench.stateFolder))
    await diagnose()
    expect(readFileSync(ledgerPath(doctor.bench.stateFolder)).equals(before)).toBe(true)
  })
})
