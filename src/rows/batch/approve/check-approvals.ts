import { basename } from 'node:path'
import { LimitError } from '../../../errors.ts'
import type { PlanHeader, PlanTrailer } from '../plan.ts'
import { signatureFileOf, signaturesOn } from './signature-files.ts'
import type { Signer } from './ssh-keygen.ts'
import { fileWord } from '../../../files/shell.ts'
import { pluralize } from '../../../text/words.ts'

/** The rules of a profile for plans that may be applied. */
export interface ApprovalRules {
  /** The number of signatures besides the planner's. */
  readonly approvals: number
  /** The team's `allowed_signers` file. */
  readonly signersFile: string
}

export interface SignedPlanFile {
  readonly planFile: string
  readonly header: Pick<PlanHeader, 'planner'>
  readonly trailer: Pick<PlanTrailer, 'digest'>
}

/**
 * Checks that the planner and enough other people have signed exactly this plan. Approvers differ from the planner and
 * from each other in principal and in key.
 * @throws {LimitError} naming who has signed and what is missing
 */
export async function checkApprovals(
  plan: SignedPlanFile,
  { approvals, signersFile }: ApprovalRules,
): Promise<readonly Signer[]> {
  const { planner, approvers, refused, repeated } = await approvalsOf(plan, signersFile)
  const { planFile, header } = plan
  if (planner === undefined)
    throw new LimitError(`The planner ${header.planner} has not signed this plan.${inWords(refused)}`, {
      hint: 'Plan the input again with --key FILE: the profile requires approvals, and the planner signs first.',
    })
  if (approvers.length >= approvals) return approvers
  const given =
    approvers.length === 0
      ? 'none'
      : `${approvers.length} (${approvers.map(({ principal }) => principal).join(', ')})`
  throw new LimitError(
    `The plan needs ${pluralize(approvals, 'approval')} and has ${given}.${inWords([...refused, ...repeated])}`,
    {
      hint: `${refused.length === 0 ? '' : 'A signature covers one plan only. '}Someone other than ${[planner, ...approvers].map(({ principal }) => principal).join(' and ')} has to approve it with their own key.`,
      next: [`pay batch approve ${fileWord(planFile)} --key FILE`],
    },
  )
}

interface Uncounted {
  readonly file: string
  readonly problem: string
}

/** The people who signed a plan. */
export interface Approvals {
  /** The planner; undefined before signing: then no other signature counts. */
  readonly planner: Signer | undefined
  readonly approvers: readonly Signer[]
  /** The signatures that the team's file doesn't accept. */
  readonly refused: readonly Uncounted[]
  /** The good signatures that don't count. */
  readonly repeated: readonly Uncounted[]
}

export async function approvalsOf(
  { planFile, header, trailer }: SignedPlanFile,
  signersFile: string,
): Promise<Approvals> {
  const { signers, refused } = await signaturesOn(planFile, trailer.digest, signersFile)
  const planner = signers.find(({ principal }) => principal === header.planner)
  const problem = `the planner ${header.planner} has not signed`
  const { approvers, repeated } =
    planner === undefined
      ? { approvers: [], repeated: signers.map(({ principal }) => ({ principal, problem })) }
      : countApprovers(signers, planner)
  const fileOf = ({ principal, ...why }: RepeatedSigner): Uncounted => ({
    file: basename(signatureFileOf(planFile, principal)),
    ...why,
  })
  return { planner, approvers, refused, repeated: repeated.map(fileOf) }
}

/** A signature that is good, but not by another person. */
interface RepeatedSigner {
  readonly principal: string
  readonly problem: string
}

/** The signers who count as approvers: none with the planner's name or key, and each name and key once. */
export function countApprovers(
  signers: readonly Signer[],
  planner: Signer,
): { readonly approvers: readonly Signer[]; readonly repeated: readonly RepeatedSigner[] } {
  const owners = new Map([[planner.key, planner.principal]])
  const names = new Set([planner.principal])
  const approvers: Signer[] = []
  const repeated: RepeatedSigner[] = []
  for (const signer of signers) {
    if (names.has(signer.principal)) continue
    names.add(signer.principal)
    const owner = owners.get(signer.key)
    if (owner !== undefined) {
      repeated.push({ principal: signer.principal, problem: `it was made with the key of ${owner}` })
      continue
    }
    owners.set(signer.key, signer.principal)
    approvers.push(signer)
  }
  return { approvers, repeated }
}

const inWords = (uncounted: readonly Uncounted[]): string =>
  uncounted.map(({ file, problem }) => ` ${file} does not count: ${problem}.`).join('')
