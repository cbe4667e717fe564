import { resolve } from 'node:path'
import { refuseExpired } from '../../rows/batch/apply/gates.ts'
import { batchesFolder, isBegun } from '../../rows/batch/apply/run-rows.ts'
import { countApprovers } from '../../rows/batch/approve/check-approvals.ts'
import { signPlan, signaturesOn } from '../../rows/batch/approve/signature-files.ts'
import type { SignedPlan } from '../../rows/batch/approve/signature-files.ts'
import type { PlanFile } from '../../rows/batch/file/read-plan.ts'
import type { PlanHeader, PlanTrailer } from '../../rows/batch/plan.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { askConfirmation } from '../ask-confirmation.ts'
import { checkSigners } from '../check-signers.ts'
import { PLAN_ARGUMENT, withPlan } from './plan-argument.ts'
import { formatMoney } from '../../money/format.ts'
import { renderDetails } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { agree, pluralize } from '../../text/words.ts'
import { effectsOfPlan } from '../../views/batch/effects.ts'

export const command: CommandSpec = {
  path: ['batch', 'approve'],
  summary: 'Approve a batch plan by signing it with your SSH key',
  details: [
    'Shows what the plan moves, asks for confirmation, and signs its digest with ssh-keygen -Y sign. To use a key in an SSH agent or on a hardware token, give its public key. Writes the signature next to the plan, as PLAN.sig.PRINCIPAL; send it to the person who applies the plan.',
    'pay profile set --approvals N --signers FILE sets how many signatures a plan needs, and whose count. The planner signs too, with pay batch plan --key, but does not count as an approver.',
    'Approvals protect honest people from mistakes. Anyone who holds the API key and can edit the profile can bypass them.',
  ].join('\n\n'),
  examples: [
    {
      purpose: 'look at the plan, then sign it',
      line: 'pay batch approve refunds.plan.ndjson --key ~/.ssh/id_ed25519',
    },
    {
      purpose: 'sign with a key that the SSH agent holds',
      line: 'pay batch approve refunds.plan.ndjson --key ~/.ssh/id_ed25519.pub --principal anna@example.com',
    },
  ],
  args: [{ ...PLAN_ARGUMENT, help: 'The plan file' }],
  flags: {
    key: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Your private key, or the public key of one in your agent',
    },
    principal: {
      kind: 'text',
      value: 'NAME',
      help: "Your name in the team's allowed_signers file (default: the one that lists your key)",
    },
  },
  run: (invocation, input) => {
    const keyFile = textFlag(input, 'key')
    if (keyFile === undefined)
      throw new UsageError('Missing: --key', {
        code: 'missing_input',
        next: ['pay batch approve --help'],
      })
    return withPlan(invocation, input, (plan, shown) => approve(invocation, keyFile, plan, shown))
  },
  risk: 'write',
  effect: 'Writes a signature file next to the plan. Nothing is sent.',
  related: ['batch show', 'batch apply', 'profile set'],
}

async function approve(
  invocation: Invocation,
  keyFile: string,
  { header, trailer }: PlanFile,
  shown: string,
) {
  const { context, input } = invocation
  const planFile = resolve(context.cwd, shown)
  if (!isBegun(batchesFolder(context.stateFolder), header.planId)) refuseExpired(header, context.now(), shown)
  const { limits, profile } = await invocation.account()
  const { approvals, signers: signersFile } = limits
  await checkSigners(invocation, signersFile)
  await confirm(invocation, header, trailer)
  const signed = await signPlan({
    planFile,
    digest: trailer.digest,
    keyFile: resolve(context.cwd, keyFile),
    principal: textFlag(input, 'principal'),
    signersFile,
  })
  if (approvals === undefined)
    await invocation.note(
      `Profile ${profile?.value ?? 'sandbox'} requires no approvals, so the signature was not checked against a team's file.`,
    )
  const given =
    signersFile === undefined
      ? undefined
      : await countApprovals(
          invocation,
          { planFile, planner: header.planner, digest: trailer.digest, signersFile },
          signed.principal,
        )
  return resultOf(resultFor({ shown, header, trailer, signed, needed: approvals, given }), approvalView)
}

interface Outcome {
  readonly shown: string
  readonly header: PlanHeader
  readonly trailer: PlanTrailer
  readonly signed: SignedPlan
  readonly needed: number | undefined
  readonly given: readonly string[] | undefined
}

const resultFor = ({ shown, header, trailer, signed, needed, given }: Outcome) => ({
  plan: shown,
  planId: header.planId,
  digest: trailer.digest,
  principal: signed.principal,
  key: signed.key ?? null,
  signature: signed.signatureFile,
  planner: header.planner,
  approvals: { needed: needed ?? 0, given: given ?? [] },
})

async function confirm(invocation: Invocation, header: PlanHeader, trailer: PlanTrailer): Promise<void> {
  const what = whatIsApproved(header, trailer)
  if (invocation.settings.assumesYes) return
  if (!invocation.isInteractive)
    throw new UsageError(`${what} Signing needs --yes when pay cannot ask`, {
      code: 'confirmation_needed',
      outcome: 'none',
      hint: 'Read the plan with pay batch show, then add --yes.',
    })
  await askConfirmation(invocation, `${what} Approve it?`, {
    ifDeclined: 'nothing was signed',
    outcome: 'none',
  })
}

/** The principals who approve the plan so far; none while the planner hasn't signed. Says why the new signature doesn't count. */
async function countApprovals(
  invocation: Invocation,
  { planFile, planner, digest, signersFile }: Counted,
  principal: string,
): Promise<readonly string[]> {
  if (principal === planner)
    await invocation.note(`You signed as the planner ${planner}, who does not count as an approver.`)
  const { signers } = await signaturesOn(planFile, digest, signersFile)
  const own = signers.find((signer) => signer.principal === planner)
  if (own === undefined) {
    await invocation.warn(
      `The planner ${safeText(planner)} has not signed this plan, and until then no approval counts. To sign as the planner, plan the input again with --key.`,
    )
    return []
  }
  const { approvers, repeated } = countApprovers(signers, own)
  const repeat = repeated.find((signer) => signer.principal === principal)
  if (repeat !== undefined)
    await invocation.warn(`The signature of ${principal} does not count: ${repeat.problem}.`)
  return approvers.map((signer) => signer.principal)
}

interface Counted {
  readonly planFile: string
  readonly planner: string
  readonly digest: string
  readonly signersFile: string
}

interface Approval {
  readonly plan: string
  readonly planId: string
  readonly digest: string
  readonly principal: string
  readonly key: string | null
  readonly signature: string
  readonly planner: string
  readonly approvals: { readonly needed: number; readonly given: readonly string[] }
}

/** `Plan 5b0c… by anna@example.com: capture 12.50 EUR in 3 rows; releases 7.00 EUR in 1 row; 2 of 6 rows are refused.` */
function whatIsApproved(
  { planId, planner, operation }: Pick<PlanHeader, 'planId' | 'planner' | 'operation'>,
  trailer: Pick<PlanTrailer, 'rows' | 'refused' | 'totals' | 'takingAll' | 'releases'>,
): string {
  const { rows, refused, totals } = trailer
  const amounts = totals.map(
    ({ amount, currencyCode, count }) => `${formatMoney(amount, currencyCode)} in ${pluralize(count, 'row')}`,
  )
  const does = amounts.length === 0 ? 'nothing is ready' : `${operation} ${amounts.join(', ')}`
  const left = refused === 0 ? '' : `; ${refused} of ${rows} rows ${agree(refused, 'is', 'are')} refused`
  const effects = effectsOfPlan(trailer).map((effect) => `; ${effect}`)
  return `Plan ${planId} by ${safeText(planner)}: ${does}${effects.join('')}${left}.`
}

const approvalView: View<Approval> = {
  ids: ({ signature }) => [signature],
  render: ({ plan, principal, key, signature, planner, approvals }, { paint, width }) =>
    renderDetails({ paint, width }, [
      ['Plan', safeText(plan)],
      ['Signed by', `${safeText(principal)}${principal === planner ? ' (the planner)' : ''}`],
      ['Key', key ?? undefined],
      ['Signature', safeText(signature)],
      [
        'Approvals',
        approvals.needed === 0
          ? undefined
          : `${approvals.given.length} of ${approvals.needed}${approvals.given.length === 0 ? '' : `: ${safeText(approvals.given.join(', '))}`}`,
      ],
    ]),
}
