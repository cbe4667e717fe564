import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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
  const pay = (words: string | readonly string[]) => bench.runPay(words, { service })
  const plan = (words: readonly string[] = ['--key', team.keyOf('anna')]) =>
    pay(['batch', 'plan', 'refund', 'refunds.csv', ...words])
  const approve = (name: string) =>
    pay(['batch', 'approve', 'refunds.plan.ndjson', '--key', team.keyOf(name), '--yes'])
  const apply = () =>
    pay("batch apply refunds.plan.ndjson --yes --expect-total '70 EUR' --expect-count 1 --json")
  const writesOf = ({ requests }: Awaited<ReturnType<typeof pay>>) =>
    requests.filter(({ method }) => method !== 'GET')

  test('applies a larger amount once a second person has signed the plan', async () => {
    expect(await plan()).toMatchObject({ exitCode: 0 })
    expect(await approve('ben')).toMatchObject({ exitCode: 0 })
    const applied = await apply()
    expect(applied, applied.stderr).toMatchObject({ exitCode: 0 })
    expect(writesOf(applied).map(({ body }) => body)).toEqual(['{"amount":7000}'])
  })

  test('stands in the report with its planner and approvers', async () => {
    await plan()
    await approve('ben')
    await apply()
    const { stdout } = await bench.runPay('ops report --json')
    expect(JSON.parse(stdout)).toMatchObject({
      plans: [{ plannedBy: 'anna@example.com', approvedBy: 'ben@example.com', rows: 1 }],
      rows: [{ outcome: 'done', amount: 7000, approvedBy: 'ben@example.com' }],
    })
  })

  test('names its planner and approvers in the tables of plan, apply and verify', async () => {
    const planned = await plan()
    expect(planned.stdout).toMatch(/Planned +by anna@example\.com \(signed\)\nApprovals +0 of 1\n/)
    await approve('ben')
    const applied = await pay(
      "batch apply refunds.plan.ndjson --yes --expect-total '70 EUR' --expect-count 1 -o table",
    )
    expect(applied.stdout).toMatch(/Planned +by anna@example\.com\nApproved +by ben@example\.com\n/)
    const verified = await pay('batch verify refunds.plan.ndjson -o table')
    expect(verified.stdout).toMatch(/ by anna@example\.com \(signed\)\nApprovals +1 of 1: ben@example\.com\n/)
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

  const setSigners = (path = team.signersFile) =>
    pay(['profile', 'set', 'shop', '--signers', path, '--approvals', '1', '--yes', '--json'])

  // Root's files are the user's own, and others' are never.
  test.each([
    ['a file', 'allowed_signers', 0o666, 0o644],
    ['a file', 'allowed_signers', 0o664, 0o600],
    ['a folder', '', 0o777, 0o755],
    ['a folder', '', 0o1777, 0o700],
  ])('%s of signers that others can write is refused: %o', async (_, name, mode, safe) => {
    await plan()
    await approve('ben')
    const path = join(bench.folder, name)
    chmodSync(path, mode)
    for (const refused of [await plan(), await approve('ben'), await apply(), await setSigners()]) {
      expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(refused.stderr).toContain('Other users can write to the f')
      expect(refused.stderr).toContain(`chmod go-w ${path.replace(/\/$/, '')}`)
    }
    chmodSync(path, safe)
    expect(await apply()).toMatchObject({ exitCode: 0 })
  })

  test('a link to a file of signers in a folder that others can write is refused', async () => {
    const elsewhere = join(bench.folder, 'team')
    mkdirSync(elsewhere)
    chmodSync(elsewhere, 0o777)
    writeFileSync(join(elsewhere, 'signers'), readFileSync(team.signersFile))
    symlinkSync(join(elsewhere, 'signers'), join(bench.folder, 'link'))
    const refused = await setSigners(join(bench.folder, 'link'))
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(JSON.parse(refused.stderr.trimEnd()).error).toMatchObject({ code: 'unsafe_folder' })
  })

  const lineOf = (names: string, owner: string, options = '') =>
    `${names} ${options}${readFileSync(`${team.keyOf(owner)}.pub`, 'utf8')}`

  test.each([
    ['a name with a wildcard', () => lineOf('*@example.com', 'ben'), 'every name that fits *@example.com'],
    [
      'a name in quotes with a wildcard',
      () => lineOf('"cleo,ann?@example.com"', 'ben', 'namespaces="git,pay-batch" '),
      'every name that fits ann?@example.com',
    ],
    [
      'names that differ only in case',
      () => lineOf('Anna@example.com', 'ben'),
      'anna@example.com and Anna@example.com with different keys',
    ],
  ])('warns of %s', async (_, line, words) => {
    await plan()
    await approve('ben')
    appendFileSync(team.signersFile, line())
    for (const warned of [await setSigners(), await plan(), await approve('anna'), await apply()])
      expect(warned.stderr).toContain(words)
  })

  test.each([
    ['a wildcard for another namespace', () => lineOf('*', 'ben', 'namespaces="git" ')],
    ['a certificate authority', () => lineOf('*@example.com', 'ben', 'cert-authority ')],
    ['two names in different case with one key', () => lineOf('Ben@example.com', 'ben')],
    ['a name that is left out', () => lineOf('ben@example.com,!*@elsewhere.com', 'ben')],
    ['a comment', () => `# *@example.com\n`],
  ])('does not warn of %s', async (_, line) => {
    appendFileSync(team.signersFile, line())
    expect((await setSigners()).stderr).not.toContain('Warning')
  })

  test('show names the planner and the approvers, and the signatures that do not count', async () => {
    const show = async (words = '') => {
      const shown = await bench.runPay(`batch show refunds.plan.ndjson ${words}`)
      expect(shown).toMatchObject({ exitCode: 0, requests: [] })
      return shown.stdout
    }
    const approvals = async () => JSON.parse(await show('--json')).approvals
    await plan([])
    expect(await approvals()).toEqual({ needed: 1, given: [], plannerSigned: false, uncounted: [] })
    await plan()
    expect(await approvals()).toEqual({ needed: 1, given: [], plannerSigned: true, uncounted: [] })
    await approve('ben')
    writeFileSync(join(bench.folder, 'refunds.plan.ndjson.sig.cleo'), 'no signature')
    expect(await approvals()).toEqual({
      needed: 1,
      given: ['ben@example.com'],
      plannerSigned: true,
      uncounted: [{ file: 'refunds.plan.ndjson.sig.cleo', problem: expect.any(String) }],
    })
    const page = await show()
    expect(page).toMatch(/Planned +\S+ \S+ UTC by anna@example\.com \(signed\)/)
    expect(page).toMatch(/Approvals +1 of 1: ben@example\.com/)
    expect(page).toMatch(/Don't count +refunds\.plan\.ndjson\.sig\.cleo: /)
    chmodSync(team.signersFile, 0o666)
    expect(await show()).toMatch(/Approvals +0 of 1\n/)
    expect(await show()).toContain('Other users can write to the file')
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
