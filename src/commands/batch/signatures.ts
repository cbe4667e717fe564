import { approvalsOf } from '../../rows/batch/approve/check-approvals.ts'
import { signatureFilesOf } from '../../rows/batch/approve/signature-files.ts'
import type { PlanFile } from '../../rows/batch/file/read-plan.ts'
import type { PlanHeader } from '../../rows/batch/plan.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { NO_LIMITS } from '../../client/config/profile.ts'
import type { Limits } from '../../client/config/profile.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { PayError } from '../../errors.ts'
import type { Detail } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { RenderOptions } from '../../output/view.ts'
import { formatField } from '../../views/format-fields.ts'
import { formatTime } from '../../views/format-time.ts'
import { checkSigners } from '../check-signers.ts'

/** Whose signatures on a plan count, and which don't. */
export interface ShownApprovals {
  /** As many as the profile requires besides the planner's. */
  readonly needed: number
  readonly given: readonly string[]
  readonly plannerSigned: boolean
  readonly uncounted: readonly { readonly file: string; readonly problem: string }[]
}

/**
 * Who signed the plan. The profile says who may; without one, or if its file of signers can't be used, no signature counts, and
 * the reason is shown.
 */
export async function shownApprovals(
  invocation: Invocation,
  { header, trailer }: Pick<PlanFile, 'header' | 'trailer'>,
  planFile: string,
): Promise<ShownApprovals> {
  const files = signatureFilesOf(planFile)
  const { approvals: needed = 0, signers } = (await limitsFor(invocation, header.profile)) ?? NO_LIMITS
  const without = (problem: string): ShownApprovals => ({
    needed,
    given: [],
    plannerSigned: false,
    uncounted: files.map((file) => ({ file, problem })),
  })
  if (files.length === 0 || signers === undefined) return without('the profile names no file of signers')
  try {
    await checkSigners(invocation, signers)
    const { planner, approvers, refused, repeated } = await approvalsOf(
      { planFile, header, trailer },
      signers,
    )
    return {
      needed,
      given: approvers.map(({ principal }) => principal),
      plannerSigned: planner !== undefined,
      uncounted: [...refused, ...repeated],
    }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return without(error.message)
  }
}

/** The limits of the profile that is named for this call, or that the plan was made with. */
async function limitsFor(invocation: Invocation, planned: string | undefined): Promise<Limits | undefined> {
  const { configFolder, uid, env } = invocation.context
  try {
    const isNamed = textFlag(invocation.input, 'profile') !== undefined || Boolean(env['PAY_PROFILE'])
    const stored =
      isNamed || planned === undefined ? undefined : readProfiles(configFolder, { uid }).profiles.get(planned)
    return (stored ?? (await invocation.account())).limits
  } catch {
    return undefined
  }
}

/** Who planned and who approved. */
export const signatureDetails = (
  { planner, createdAt }: Pick<PlanHeader, 'planner' | 'createdAt'>,
  approvals: ShownApprovals,
  { timeZone }: Pick<RenderOptions, 'timeZone'>,
): readonly Detail[] => [
  [
    'Planned',
    `${formatTime(createdAt, timeZone) ?? ''} by ${formatField(planner)}${approvals.plannerSigned ? ' (signed)' : ''}`,
  ],
  ...approvalDetails(approvals),
]

function approvalDetails({ needed, given, uncounted }: ShownApprovals): readonly Detail[] {
  const count = needed === 0 ? [] : [`${given.length} of ${needed}`]
  const approvers = given.length === 0 ? [] : [given.join(', ')]
  return [
    [
      'Approvals',
      [...count, ...approvers].length === 0 ? undefined : safeText([...count, ...approvers].join(': ')),
    ],
    ...uncounted.map(({ file, problem }, at): Detail => [
      at === 0 ? "Don't count" : '',
      safeText(`${file}: ${problem}`),
    ]),
  ]
}
