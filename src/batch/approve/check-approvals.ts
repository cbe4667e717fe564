import { LimitError } from '../../errors.ts'
import type { PlanHeader, PlanTrailer } from '../plan.ts'
import { signaturesOn } from './signature-files.ts'
import type { Signer } from './ssh-keygen.ts'

/** What a profile requires before a plan may be applied. */
export interface ApprovalRules {
  /** Signatures besides the planner's. */
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
  { planFile, header, trailer }: SignedPlanFile,
  { approvals, signersFile }: ApprovalRules,
): Promise<readonly Signer[]> {
  const { signers, refused } = await signaturesOn(planFile, trailer.digest, signersFile)
  const excluded = refused.map(({ file, problem }) => ` ${file} does not count: ${problem}.`).join('')
  const planner = signers.find(({ principal }) => principal === header.planner)
  if (planner === undefined)
    throw new LimitError(`The planner ${header.planner} has not signed this plan.${excluded}`, {
      hint: 'Plan the input again with --key FILE: the profile requires approvals, and the planner signs first.',
    })
  const approvers = approversAmong(signers, planner)
  if (approvers.length >= approvals) return approvers
  const missing = approvals - approvers.length
  throw new LimitError(
    `The plan needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'}: ${standing(approvers, approvals)}.${excluded}`,
    {
      hint: `Someone other than ${[planner, ...approvers].map(({ principal }) => principal).join(' and ')} has to approve it with their own key.`,
      next: [`pay batch approve ${planFile} --key FILE`],
    },
  )
}

/** The signers who count as approvers: none with the planner's name or key, and each name and key once. */
export function approversAmong(signers: readonly Signer[], planner: Signer): readonly Signer[] {
  const [principals, keys] = [new Set([planner.principal]), new Set([planner.key])]
  return signers.filter(({ principal, key }) => {
    if (principals.has(principal) || keys.has(key)) return false
    principals.add(principal)
    keys.add(key)
    return true
  })
}

const standing = (approvers: readonly Signer[], approvals: number): string =>
  approvers.length === 0
    ? `none of ${approvals} has been given`
    : `${approvers.map(({ principal }) => principal).join(' and ')} approved, of ${approvals}`
