import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PlanRow } from '../../../src/rows/batch/plan.ts'
import { planRow, writeTestPlan } from '../../support/batch-plan.ts'
import { createBench } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'
import { HAS_SSH_KEYGEN, makeTeam } from '../../support/signing-team.ts'
import type { Team } from '../../support/signing-team.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { writesOf } from '../../support/run-result.ts'

let bench: Bench
let plan: string

beforeEach(() => {
  bench = createBench()
  plan = join(bench.folder, 'refunds.plan.ndjson')
})
afterEach(() => bench.dispose())

function writeRefunds(createdAt: Date): void {
  const rows = ['p1', 'p2'].map((id, index) => planRow(index + 1, id, { amount: 250 }))
  const refused: PlanRow = { type: 'row', row: 3, line: 4, verdict: 'not_found', paymentId: 'p3' }
  writeTestPlan(plan, [...rows, refused], {
    mode: 'live',
    planner: 'anna@example.com',
    createdAt: createdAt.toISOString(),
  })
}

const signatures = (): readonly string[] => readdirSync(bench.folder).filter((name) => name.includes('.sig.'))

// Signatures are made by OpenSSH itself.
describe.skipIf(!HAS_SSH_KEYGEN)('pay batch approve', () => {
  let team: Team
  beforeEach(async () => {
    team = makeTeam(bench.folder, ['anna', 'ben'])
    await storeProfile(bench, { mode: 'live', words: ['--approvals', '1', '--signers', team.signersFile] })
    writeRefunds(bench.clock.now)
  })
  const approve = (name: string, words: readonly string[] = ['--yes'], more = {}) =>
    bench.runPay(['batch', 'approve', plan, '--key', team.keyOf(name), ...words], more)

  test('shows what it approves, asks, and writes the signature next to the plan', async () => {
    const question =
      'Plan plan-00000001 by anna@example.com: refund 5.00 EUR in 2 rows; 1 of 3 rows is refused. Approve it?'
    const signed = await approve('ben', [], { answers: { [question]: true } })
    expect(signed).toMatchObject({ exitCode: 0, requests: [] })
    expect(signatures()).toEqual(['refunds.plan.ndjson.sig.ben@example.com'])
  })

  test('signs nothing if the answer is no', async () => {
    const refused = await approve('ben', [], { answers: { Confirm: false } })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(signatures()).toEqual([])
  })

  test('needs --yes without a terminal', async () => {
    const refused = await approve('ben', ['--json'])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('confirmation_needed')
    expect(signatures()).toEqual([])
  })

  test('counts approvals once the planner has signed', async () => {
    const early = await approve('ben', ['--yes', '--json'])
    expect(JSON.parse(early.stdout)).toMatchObject({ approvals: { needed: 1, given: [] } })
    expect(early.stderr).toContain(
      'anna@example.com has not signed this plan, and until then no approval counts',
    )
    const own = await approve('anna', ['--yes'])
    expect(own.stdout).toContain('anna@example.com (the planner)')
    const later = await approve('ben', ['--yes', '--json'])
    expect(later.stderr).not.toContain('has not signed')
    expect(JSON.parse(later.stdout)).toMatchObject({
      planId: 'plan-00000001',
      principal: 'ben@example.com',
      key: expect.stringMatching(/^SHA256:/),
      signature: `${plan}.sig.ben@example.com`,
      approvals: { needed: 1, given: ['ben@example.com'] },
    })
  })

  test('refuses a plan of more than 24 hours ago', async () => {
    writeRefunds(new Date(bench.clock.now.getTime() - 24 * 3_600_000 - 1))
    const refused = await approve('ben', ['--yes', '--json'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('plan_expired') })
    expect(signatures()).toEqual([])
  })

  test('signs an older plan that was begun', async () => {
    writeRefunds(new Date(bench.clock.now.getTime() - 24 * 3_600_000 - 1))
    mkdirSync(join(bench.stateFolder, 'batches'), { recursive: true, mode: 0o700 })
    writeFileSync(join(bench.stateFolder, 'batches', 'plan-00000001.db'), '')
    expect(await approve('ben')).toMatchObject({ exitCode: 0 })
  })

  test('says when the signature does not count', async () => {
    appendFileSync(team.signersFile, readFileSync(team.signersFile, 'utf8').replaceAll('ben@', 'benny@'))
    const own = await approve('anna')
    expect(own.stderr).toContain('You signed as the planner anna@example.com, who does not count')
    await approve('ben', ['--yes', '--principal', 'ben@example.com'])
    const repeated = await approve('ben', ['--yes', '--principal', 'benny@example.com'])
    expect(repeated.stderr).toContain(
      'The signature of benny@example.com does not count: it was made with the key of ben@example.com.',
    )
  })

  test('refuses a key that the team does not list', async () => {
    const stranger = makeTeam(join(bench.folder), ['dora'])
    await bench.runPay(['profile', 'set', 'shop', '--signers', team.signersFile, '--yes'])
    makeTeam(bench.folder, ['cleo'])
    const refused = await bench.runPay([
      'batch',
      'approve',
      plan,
      '--key',
      stranger.keyOf('dora'),
      '--yes',
      '--json',
    ])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('unknown_signer') })
    expect(existsSync(`${plan}.sig.dora@example.com`)).toBe(false)
  })

  test.each([
    ['the plan', ['batch', 'approve', '--key', 'k'], 'Missing: PLAN'],
    ['the key', ['batch', 'approve', 'a.plan.ndjson'], 'Missing: --key'],
  ])('names %s when it is missing', async (_, words, message) => {
    const refused = await bench.runPay(words)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(message)
  })
})

describe('approvals of a profile', () => {
  const signers = (): string => makeTeam(bench.folder, ['anna', 'ben']).signersFile

  test('need a number and a file', async () => {
    await storeProfile(bench)
    const noFile = await bench.runPay(['profile', 'set', 'shop', '--approvals', '2'])
    expect(noFile).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Missing: --signers') })
    const noNumber = await bench.runPay(['profile', 'set', 'shop', '--signers', signers()])
    expect(noNumber.stderr).toContain('Missing: --approvals')
    const missing = await bench.runPay(['profile', 'set', 'shop', '--approvals', '2', '--signers', 'nowhere'])
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('does not exist') })
  })

  test('are shown, kept by other changes, and lifted by 0 together with the file', async () => {
    await storeProfile(bench)
    const path = signers()
    await bench.runPay(['profile', 'set', 'shop', '--approvals', '2', '--signers', path])
    const kept = await bench.runPay(['profile', 'set', 'shop', '--max-amount', '50 EUR', '--json'])
    expect(JSON.parse(kept.stdout)).toMatchObject({
      limits: { approvals: 2, signers: path, maxAmount: { EUR: 5000 } },
    })
    expect((await bench.runPay('profile show shop')).stdout).toMatch(/Approvals +2, by signers in /)
    const lifted = await bench.runPay(['profile', 'set', 'shop', '--approvals', '0', '--json'])
    expect(JSON.parse(lifted.stdout).limits).toEqual({ readOnly: false, maxAmount: { EUR: 5000 } })
  })

  test.each([
    [['--approvals', '0'], 'plans need no approval'],
    [['--approvals', '1'], 'plans need 1 approval instead of 2'],
    [['--signers', 'other'], 'signatures are checked against OTHER'],
  ])('ask on a live profile before %j loosens them', async (words, consequence) => {
    const path = signers()
    await storeProfile(bench, { mode: 'live', words: ['--approvals', '2', '--signers', path] })
    writeFileSync(join(bench.folder, 'other'), 'ben@example.com ssh-ed25519 AAAA\n')
    const asked = await bench.runPay(['profile', 'set', 'shop', ...words], {
      answers: {
        [`This loosens limits of LIVE profile shop: ${consequence.replace('OTHER', join(bench.folder, 'other'))}. Change them?`]: false,
      },
    })
    expect(asked).toMatchObject({ exitCode: 2 })
    const alone = await bench.runPay(['profile', 'set', 'shop', ...words])
    expect(alone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs --yes') })
  })

  test('point from a single refund above the limit to a plan', async () => {
    await storeProfile(bench, {
      mode: 'live',
      words: ['--approvals', '1', '--signers', signers(), '--max-amount', '5 EUR'],
    })
    const service = () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"id":"p1","status":"SETTLED","currencyCode":"EUR","amount":900,"processor":{"amountCaptured":900}}',
    })
    const refused = await bench.runPay('payment refund p1 --amount 900 --yes --json', { service })
    expect(refused).toMatchObject({ exitCode: 12, stderr: expect.stringContaining('pay batch plan') })
    expect(writesOf(refused)).toEqual([])
  })
})
