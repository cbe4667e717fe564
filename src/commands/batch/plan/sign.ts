import { resolve } from 'node:path'
import { signPlan } from '../../../rows/batch/approve/signature-files.ts'
import { listedPrincipal } from '../../../rows/batch/approve/signers-file.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { accountFlagsOf } from '../../../cli/command/flag-words.ts'
import { PayError, UsageError } from '../../../errors.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { checkSigners } from '../../check-signers.ts'

/** Who signs the plan, with which key. */
export interface PlanSigner {
  readonly keyFile: string
  readonly principal: string
  readonly signersFile: string | undefined
}

/**
 * Reads `--key` and `--principal`. The principal is part of the plan, so it must be known before the plan is signed.
 * @throws {UsageError} `missing_input` if it is not clear who signs, `unreadable_file` or `unsafe_folder` for the team's file
 */
export async function readSigner(
  invocation: Invocation,
  input: CommandInput,
): Promise<PlanSigner | undefined> {
  const [key, given] = [textFlag(input, 'key'), textFlag(input, 'principal')]
  if (key === undefined) {
    if (given === undefined) return undefined
    throw new UsageError('--principal has no effect without --key', { code: 'bad_value', hint: 'Add --key.' })
  }
  const { limits } = await invocation.account()
  const { signers: signersFile } = limits
  await checkSigners(invocation, signersFile)
  const keyFile = resolve(invocation.context.cwd, key)
  const principal = given ?? (signersFile === undefined ? undefined : listedPrincipal(signersFile, keyFile))
  if (principal !== undefined) return { keyFile, principal, signersFile }
  const why =
    signersFile === undefined
      ? 'the profile names no file of allowed signers'
      : `${signersFile} does not list the key ${keyFile} for exactly one person`
  throw new UsageError(`Missing: --principal, because ${why}`, {
    code: 'missing_input',
    outcome: 'none',
    hint: "The principal is your name in the team's file of allowed signers, such as anna@example.com.",
  })
}

/** Signs a written plan as its planner. */
export async function signAsPlanner(
  invocation: Invocation,
  signer: PlanSigner,
  { planFile, digest }: { readonly planFile: string; readonly digest: string },
): Promise<void> {
  try {
    const { signatureFile, principal } = await signPlan({ planFile, digest, ...signer })
    await invocation.note(invocation.cleanText(`Signed by ${principal}: ${signatureFile}`))
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    // The plan is good; don't make the user read every payment again.
    const sign = `pay${accountFlagsOf(invocation)} batch approve ${shellWord(planFile)} --key FILE --principal ${shellWord(signer.principal)}`
    throw new UsageError(`${error.message}. The plan was written, but not signed`, {
      ...error.details,
      code: error.code,
      next: [sign],
    })
  }
}
