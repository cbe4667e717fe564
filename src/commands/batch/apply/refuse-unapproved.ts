import { checkApprovals } from '../../../batch/approve/check-approvals.ts'
import type { SignedPlanFile } from '../../../batch/approve/check-approvals.ts'
import type { Account } from '../../../config/resolve-account.ts'
import { LimitError } from '../../../errors.ts'

/**
 * Checks the approvals that the profile requires, if it requires any.
 * @throws {LimitError} if approvals are missing, foreign or too few
 */
export async function refuseUnapproved({ limits, profile }: Account, plan: SignedPlanFile): Promise<void> {
  const { approvals, signers: signersFile } = limits
  if (approvals === undefined) return
  const name = profile?.value ?? ''
  if (signersFile === undefined)
    throw new LimitError(`Profile "${name}" requires approvals, but names no file of signers`, {
      hint: `Name it: pay profile set ${name} --signers FILE`,
    })
  await checkApprovals(plan, { approvals, signersFile })
}
