import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkApprovals, countApprovers } from '../../../../src/rows/batch/approve/check-approvals.ts'
import { signPlan } from '../../../../src/rows/batch/approve/signature-files.ts'
import { checkSignersFile } from '../../../../src/rows/batch/approve/signers-file.ts'
import { LimitError, UsageError } from '../../../../src/errors.ts'
import { HAS_SSH_KEYGEN, makeTeam } from '../../../support/signing-team.ts'
import type { Team } from '../../../support/signing-team.ts'
import { useFolder } from '../../../support/folder.ts'

const DIGEST = 'a'.repeat(64)

const folder = useFolder()
const planFile = () => join(folder(), 'refunds.plan.ndjson')

const signAs = (
  team: Team,
  name: string,
  change: { digest?: string; principal?: string; signersFile?: undefined } = {},
) =>
  signPlan({
    planFile: planFile(),
    digest: DIGEST,
    keyFile: team.keyOf(name),
    principal: undefined,
    signersFile: team.signersFile,
    ...change,
  })

const check = (team: Team, approvals = 1, digest = DIGEST) =>
  checkApprovals(
    { planFile: planFile(), header: { planner: 'anna@example.com' }, trailer: { digest } },
    { approvals, signersFile: team.signersFile },
  )

const refusal = async (team: Team, approvals = 1, digest = DIGEST): Promise<string> => {
  const error = await check(team, approvals, digest).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LimitError)
  return error instanceof Error ? error.message : ''
}

// Signatures are made and checked by OpenSSH itself.
describe.skipIf(!HAS_SSH_KEYGEN)('approvals', () => {
  let team: Team
  beforeEach(() => {
    team = makeTeam(folder(), ['anna', 'ben', 'cleo'])
  })

  test.skipIf(process.platform === 'win32')('report a signature that is a pipe or a link', async () => {
    await signAs(team, 'anna')
    await signAs(team, 'ben')
    const signature = `${planFile()}.sig.ben@example.com`
    copyFileSync(signature, join(folder(), 'other'))
    rmSync(signature)
    execFileSync('mkfifo', [signature])
    expect(await refusal(team)).toContain('.sig.ben@example.com does not count: it is not a regular file.')
    rmSync(signature)
    symlinkSync(join(folder(), 'other'), signature)
    expect(await refusal(team)).toContain('it is not a regular file')
    // Signing again replaces the link, not the file behind it.
    await signAs(team, 'ben')
    expect(lstatSync(signature).isFile()).toBe(true)
    expect(await check(team)).toHaveLength(1)
  })

  test('count once the planner and another person have signed the digest', async () => {
    await signAs(team, 'anna')
    expect(await refusal(team)).toBe('The plan needs 1 approval and has none.')
    expect(await signAs(team, 'ben')).toMatchObject({
      principal: 'ben@example.com',
      key: expect.stringMatching(/^SHA256:/),
      signatureFile: `${planFile()}.sig.ben@example.com`,
    })
    expect((await check(team)).map(({ principal }) => principal)).toEqual(['ben@example.com'])
    expect(await refusal(team, 2)).toBe('The plan needs 2 approvals and has 1 (ben@example.com).')
    await signAs(team, 'cleo')
    expect(await check(team, 2)).toHaveLength(2)
  })

  test('need the signature of the planner', async () => {
    await signAs(team, 'ben')
    expect(await refusal(team)).toBe('The planner anna@example.com has not signed this plan.')
  })

  test('by one key under two names count once, and the refusal says which does not count', async () => {
    appendFileSync(team.signersFile, readFileSync(team.signersFile, 'utf8').replaceAll('ben@', 'benny@'))
    await signAs(team, 'anna')
    await signAs(team, 'ben', { principal: 'ben@example.com' })
    await signAs(team, 'ben', { principal: 'benny@example.com' })
    expect(await refusal(team, 2)).toBe(
      'The plan needs 2 approvals and has 1 (ben@example.com). refunds.plan.ndjson.sig.benny@example.com does not count: it was made with the key of ben@example.com.',
    )
  })

  test('are for one digest only', async () => {
    await signAs(team, 'anna')
    await signAs(team, 'ben')
    expect(await refusal(team, 1, 'b'.repeat(64))).toMatch(
      /has not signed this plan\. refunds\.plan\.ndjson\.sig\.anna@example\.com does not count/,
    )
  })

  test('of an earlier plan are explained', async () => {
    await signAs(team, 'anna')
    writeFileSync(`${planFile()}.sig.ben@example.com`, 'of an earlier plan')
    await expect(check(team)).rejects.toMatchObject({
      message: expect.stringContaining('refunds.plan.ndjson.sig.ben@example.com does not count'),
      details: { hint: expect.stringMatching(/^A signature covers one plan only\. Someone/) },
    })
  })

  test('do not count under another name than the one of the key', async () => {
    await signAs(team, 'anna')
    await signAs(team, 'ben')
    copyFileSync(`${planFile()}.sig.ben@example.com`, `${planFile()}.sig.cleo@example.com`)
    expect(await refusal(team, 2)).toMatch(/has 1 \(ben@example\.com\)\. .*cleo@example\.com does not count/)
  })

  test('do not count from a second name of the same key', async () => {
    appendFileSync(team.signersFile, readFileSync(team.signersFile, 'utf8').replaceAll('anna@', 'anna-too@'))
    await signAs(team, 'anna', { principal: 'anna@example.com' })
    await signAs(team, 'anna', { principal: 'anna-too@example.com' })
    expect(await refusal(team)).toMatch(/needs 1 approval and has none/)
  })

  test('do not count from a key that the team does not list', async () => {
    await signAs(team, 'anna')
    const stranger = makeTeam(mkdtempSync(join(folder(), 'other-')), ['ben'], { areStrangers: true })
    await signAs(stranger, 'ben')
    expect(await refusal(team)).toMatch(/needs 1 approval and has none\. .*ben@example\.com does not count/)
  })

  test('do not count when the signature was made for something else', async () => {
    await signAs(team, 'anna')
    await signAs(team, 'ben')
    const signature = `${planFile()}.sig.ben@example.com`
    writeFileSync(
      signature,
      readFileSync(signature, 'utf8').replace(/\n(.)/, (_, first) => `\n${first === 'U' ? 'V' : 'U'}`),
    )
    expect(await refusal(team)).toMatch(/does not count/)
  })

  test('of a key with several names need one of them', async () => {
    writeFileSync(
      team.signersFile,
      readFileSync(team.signersFile, 'utf8').replace('anna@', 'anna-too@example.com,anna@'),
    )
    const error = await signAs(team, 'anna').catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'missing_input',
      message: expect.stringContaining('name one person with --principal'),
    })
  })

  test('by a key that the team does not list are not written', async () => {
    const stranger = makeTeam(mkdtempSync(join(folder(), 'other-')), ['dora'])
    const sign = (principal?: string) =>
      signPlan({
        planFile: planFile(),
        digest: DIGEST,
        keyFile: stranger.keyOf('dora'),
        principal,
        signersFile: team.signersFile,
      })
    await expect(sign()).rejects.toMatchObject({
      code: 'unknown_signer',
      details: { hint: expect.stringContaining('Ask the team to add a line') },
    })
    await expect(sign('ben@example.com')).rejects.toMatchObject({ code: 'unknown_signer' })
    await expect(check(team)).rejects.toBeInstanceOf(LimitError)
  })

  test('need a key that can sign', async () => {
    const error = await signPlan({
      planFile: planFile(),
      digest: DIGEST,
      keyFile: join(folder(), 'no-such-key'),
      principal: undefined,
      signersFile: team.signersFile,
    }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'signing_failed' })
  })

  test('without a file of signers need a principal, and are not checked', async () => {
    await expect(signAs(team, 'ben', { signersFile: undefined })).rejects.toMatchObject({
      code: 'missing_input',
    })
    const signed = await signAs(team, 'ben', { signersFile: undefined, principal: 'ben@example.com' })
    expect(signed.key).toBeUndefined()
  })

  test.each(['../ben', 'ben/anna', '', '.ben', 'a b', 'x'.repeat(101)])(
    'refuse the principal "%s"',
    async (principal) => {
      await expect(signAs(team, 'ben', { principal })).rejects.toMatchObject({ code: 'bad_value' })
    },
  )
})

test('approvers differ from the planner and from each other in name and in key', () => {
  const planner = { principal: 'anna', key: 'K1' }
  const signers = [
    planner,
    { principal: 'ben', key: 'K1' },
    { principal: 'cleo', key: 'K2' },
    { principal: 'dora', key: 'K2' },
    { principal: 'anna', key: 'K3' },
  ]
  expect(countApprovers(signers, planner)).toEqual({
    approvers: [{ principal: 'cleo', key: 'K2' }],
    repeated: [
      { principal: 'ben', problem: 'it was made with the key of anna' },
      { principal: 'dora', problem: 'it was made with the key of cleo' },
    ],
  })
})

test.each([
  ['is missing', undefined, /does not exist/],
  ['is empty', '', /lists no signer/],
  ['has only comments', '# nobody\n\n', /lists no signer/],
  ['is a folder', undefined, /is a folder/],
])('a file of signers that %s is refused', (what, text, message) => {
  const path = what === 'is a folder' ? folder() : join(folder(), 'allowed_signers')
  if (text !== undefined) writeFileSync(path, text)
  expect(() => checkSignersFile(path)).toThrow(UsageError)
  expect(() => checkSignersFile(path)).toThrow(message)
})
