import { checkApprovals } from '../../../batch/approve/check-approvals.ts'
import type { SignedPlanFile } from '../../../batch/approve/check-approvals.ts'
import type { Account } from '../../../config/resolve-account.ts'
import { LimitError } from '../../../errors.ts'

/**
 * Checks the approvals that the profile demands. A profile without such a demand needs none.
 * @throws {LimitError} if approvals are missing, foreign or too few
 */
export async function refuseUnapproved({ limits, profile }: Account, plan: SignedPlanFile): Promise<void> {
  const { approvals, signers: signersFile } = limits
  if (approvals === undefined) return
  const name = profile?.value ?? ''
  if (signersFile === undefined)
    throw new LimitError(`Profile "${name}" demands approvals, but names no file of signers`, {
      hint: `Name it: pay profile set ${name} --signers FILE`,
    })
  await checkApprovals(plan, { approvals, signersFile })
}
