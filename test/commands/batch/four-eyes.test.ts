import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { HAS_SSH_KEYGEN, makeTeam } from '../../support/signing-team.ts'
import type { Team } from '../../support/signing-team.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

const SETTLED = { status: 'SETTLED', currencyCode: 'EUR', amount: 9000 }

/** A service with one settled payment of 90.00 EUR. */
const service: NonNullable<RunOptions['service']> = ({ url, method }) => {
  const isRefund = method === 'POST' && url.endsWith('/refund')
  const processor = { amountCaptured: 9000, amountRefunded: isRefund ? 7000 : 0 }
  return jsonAnswer(200, { id: 'p1', ...SETTLED, processor })
}

// Signatures are made and checked by OpenSSH itself.
describe.skipIf(!HAS_SSH_KEYGEN)('a profile that requires an approval', () => {
  let team: Team
  beforeEach(async () => {
    team = makeTeam(bench.folder, ['anna', 'ben'])
    writeFileSync(join(bench.folder, 'refunds.csv'), 'paymentId,amount\np1,70.00 EUR\n')
    await storeProfile(bench, {
      mode: 'live',
      words: ['--approvals', '1', '--signers', team.signersFile, '--max-amount', '50 EUR'],
    })
  })
  const pay = (words: readonly string[]) => bench.runPay(words, { service })
  const plan = (words: readonly string[] = ['--key', team.keyOf('anna')]) =>
    pay(['batch', 'plan', 'refund', 'refunds.csv', ...words])
  const approve = (name: string) =>
    pay(['batch', 'approve', 'refunds.plan.ndjson', '--key', team.keyOf(name), '--yes'])
  const apply = () =>
    pay([
      'batch',
      'apply',
      'refunds.plan.ndjson',
      '--yes',
      '--expect-total',
      '70 EUR',
      '--expect-count',
      '1',
      '--json',
    ])
  const writesOf = ({ requests }: Awaited<ReturnType<typeof pay>>) =>
    requests.filter(({ method }) => method !== 'GET')

  test('applies a larger amount once a second person has signed the plan', async () => {
    expect(await plan()).toMatchObject({ exitCode: 0 })
    expect(await approve('ben')).toMatchObject({ exitCode: 0 })
    const applied = await apply()
    expect(applied, applied.stderr).toMatchObject({ exitCode: 0 })
    expect(writesOf(applied).map(({ body }) => body)).toEqual(['{"amount":7000}'])
  })

  test('sends nothing without the second signature', async () => {
    await plan()
    const refused = await apply()
    expect(refused).toMatchObject({ exitCode: 12, stdout: '', requests: [] })
    expect(refused.stderr).toContain('needs 1 approval and has none')
  })

  test('a plan whose key can not sign for its planner is written, and approve can sign it', async () => {
    const refused = await plan(['--key', team.keyOf('ben'), '--principal', 'anna@example.com', '--json'])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    const { error } = JSON.parse(refused.stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error.message).toMatch(
      /does not accept this key for anna@example\.com: .*\. The plan was written, but not signed$/,
    )
    expect(error.next).toEqual([
      expect.stringMatching(
        /^pay .*batch approve \S+refunds\.plan\.ndjson --key FILE --principal anna@example\.com$/,
      ),
    ])
    expect(await approve('anna')).toMatchObject({ exitCode: 0 })
    expect(await approve('ben')).toMatchObject({ exitCode: 0 })
    expect(await apply()).toMatchObject({ exitCode: 0 })
  })

  test('needs to know who signs the plan', async () => {
    makeTeam(bench.folder, ['dora'])
    writeFileSync(team.signersFile, `ben@example.com ${readFileSync(`${team.keyOf('ben')}.pub`, 'utf8')}`)
    const refused = await plan(['--key', team.keyOf('dora')])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain(`does not list the key ${team.keyOf('dora')} for exactly one person`)
  })

  test('plan and approve say that the file of signers is missing', async () => {
    await plan()
    rmSync(team.signersFile)
    for (const refused of [await plan(), await approve('ben')]) {
      expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(refused.stderr).toContain(`${team.signersFile} does not exist`)
    }
  })

  test('sends nothing when the second signature is of the planner', async () => {
    await plan()
    await approve('anna')
    expect(await apply()).toMatchObject({ exitCode: 12, requests: [] })
  })

  test('sends nothing when the planner has not signed', async () => {
    await plan([])
    await approve('ben')
    const refused = await apply()
    expect(refused).toMatchObject({ exitCode: 12, requests: [] })
    expect(refused.stderr).toContain('has not signed this plan')
  })

  test('sends nothing when its file of signers is gone', async () => {
    await plan()
    await approve('ben')
    writeFileSync(team.signersFile, '')
    expect(await apply()).toMatchObject({ exitCode: 12, requests: [] })
  })

  test('refuses a single refund of that amount', async () => {
    const refused = await pay(['payment', 'refund', 'p1', '--amount', '7000', '--yes'])
    expect(refused).toMatchObject({ exitCode: 12, stdout: '' })
    expect(writesOf(refused)).toEqual([])
  })
})

test('without approvals, the limit applies to each row of a plan', async () => {
  await storeProfile(bench, { mode: 'live', words: ['--max-amount', '50 EUR'] })
  writeFileSync(join(bench.folder, 'refunds.csv'), 'paymentId,amount\np1,70.00 EUR\n')
  const planned = await bench.runPay('batch plan refund refunds.csv --json', { service })
  expect(planned).toMatchObject({ exitCode: 14 })
  expect(JSON.parse(planned.stdout)).toMatchObject({ verdicts: { over_limit: 1 } })
})
