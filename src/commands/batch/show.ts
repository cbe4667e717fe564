import { resolve } from 'node:path'
import { openInputRows } from '../../rows/batch/apply/input-rows.ts'
import { approvalsOf } from '../../rows/batch/approve/check-approvals.ts'
import { signatureFilesOf } from '../../rows/batch/approve/signature-files.ts'
import type { PlanFile } from '../../rows/batch/file/read-plan.ts'
import { VERDICTS } from '../../rows/batch/plan.ts'
import type { Verdict, PlanCounts, PlanHeader, PlanRow } from '../../rows/batch/plan.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { longObjectOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { shownUrl } from '../../client/config/sandbox-url.ts'
import { NO_LIMITS } from '../../client/config/profile.ts'
import type { Limits } from '../../client/config/profile.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { PayError } from '../../errors.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { checkSigners } from '../check-signers.ts'
import { PLAN_ARGUMENT, withPlan } from './plan-argument.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { formatAmount, formatField } from '../../views/format-fields.ts'
import { formatTime } from '../../views/format-time.ts'
import { effectsOfPlan } from '../../views/batch/effects.ts'
import { renderRows } from '../../views/batch/rows.ts'
import { groupThousands, pluralize } from '../../text/words.ts'

export const command: CommandSpec = {
  path: ['batch', 'show'],
  summary: 'Show a plan: its totals and its rows with their verdicts',
  details:
    'Checks the whole file first and refuses a plan that was changed. Names the planner and the approvers, by the signers of the profile; a signature that does not count is shown with the reason. Needs no account and no network. As CSV or NDJSON, prints one row of the plan per line.',
  examples: [
    { purpose: 'show a plan', line: 'pay batch show refunds.plan.ndjson' },
    {
      purpose: 'list the rows that may be repeats or were not found',
      line: 'pay batch show refunds.plan.ndjson --verdict possible_duplicate --verdict not_found',
    },
    { purpose: 'open the rows in a spreadsheet', line: 'pay batch show refunds.plan.ndjson -o csv' },
  ],
  args: [PLAN_ARGUMENT],
  flags: {
    verdict: {
      kind: 'texts',
      value: 'VERDICT',
      choices: VERDICTS,
      help: `Show only rows with this verdict; repeatable: ${VERDICTS.join(', ')}`,
    },
  },
  run: (invocation, input) => {
    const verdicts = readVerdicts(input)
    const { cwd } = invocation.context
    return withPlan(invocation, input, async (plan, shown) =>
      show(plan, {
        cwd,
        shown,
        verdicts,
        approvals: await shownApprovals(invocation, plan, resolve(cwd, shown)),
      }),
    )
  },
  related: ['batch plan', 'batch apply', 'batch list'],
}

function readVerdicts(input: CommandInput): ReadonlySet<Verdict> | undefined {
  const typed = listFlag(input, 'verdict').flatMap((text) => text.split(','))
  if (typed.length === 0) return undefined
  return new Set(typed.map((text) => oneOf('--verdict', text.trim(), VERDICTS)))
}

interface Shown {
  readonly cwd: string
  /** The plan as typed. */
  readonly shown: string
  readonly verdicts: ReadonlySet<Verdict> | undefined
  readonly approvals: ShownApprovals
}

async function show(plan: PlanFile, { cwd, shown, verdicts, approvals }: Shown): Promise<Result> {
  const { header, trailer, rows } = plan
  const { type: _plan, version: _version, account: _account, source: _source, ...about } = header
  const { type: _end, ...counts } = trailer
  const data: ShownRow[] = []
  const input = await openInputRows(resolve(cwd, shown), plan)
  for (const planned of rows()) {
    const { type: _row, ...row } = planned
    if (verdicts?.has(row.verdict) === false) continue
    const cells = input === undefined ? undefined : cellsByName(input.names, await input.cellsOf(planned))
    data.push(cells === undefined ? row : { ...row, cells })
  }
  await input?.close()
  const facts = { plan: shown, ...about, baseUrl: shownUrl(about.baseUrl), approvals, ...counts }
  const list = { key: 'data', length: data.length, jsonLines: () => data.map((row) => JSON.stringify(row)) }
  return longObjectOf({ head: facts, ...list }, { ...facts, data }, shownPlanView)
}

/**
 * Who signed the plan. The profile says who may; without one, or if its file of signers can't be used, no signature counts, and
 * the reason is shown.
 */
async function shownApprovals(
  invocation: Invocation,
  { header, trailer }: PlanFile,
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

/** The original cells by column, or the line of NDJSON. */
const cellsByName = (names: readonly string[] | undefined, cells: readonly string[]): ShownRow['cells'] =>
  names === undefined
    ? cells[0]
    : Object.fromEntries(cells.map((cell, at) => [names[at] ?? `column ${at + 1}`, cell]))

interface ShownRow extends Omit<PlanRow, 'type'> {
  /** The cells of the input: by column, or the line of NDJSON; missing if the input has changed or gone. */
  readonly cells?: Readonly<Record<string, string>> | string | undefined
}

/** Whose signatures on a plan count, and which don't. */
interface ShownApprovals {
  /** As many as the profile requires besides the planner's. */
  readonly needed: number
  readonly given: readonly string[]
  readonly plannerSigned: boolean
  readonly uncounted: readonly { readonly file: string; readonly problem: string }[]
}

/** A plan with its rows, or with those of some verdicts. */
interface ShownPlan extends PlanCounts, Omit<PlanHeader, 'type' | 'version' | 'account' | 'source'> {
  readonly plan: string
  readonly digest: string
  readonly approvals: ShownApprovals
  readonly data: readonly ShownRow[]
}

const shownPlanView: View<ShownPlan> = {
  ids: ({ data }) => data.flatMap(({ paymentId }) => (paymentId === undefined ? [] : [paymentId])),
  itemsKey: 'data',
  csvColumns: [
    'row',
    'paymentId',
    'orderId',
    'verdict',
    'amount',
    'currencyCode',
    'ticket',
    'reason',
    'message',
    'line',
    'cells',
  ],
  render: (shown, options) => {
    const { paint, width } = options
    const { data, rows, ready, refused, totals } = shown
    const counts = `${groupThousands(rows)}: ${groupThousands(ready)} ready${refused === 0 ? '' : `, ${groupThousands(refused)} not ready`}`
    return [
      renderDetails(
        { paint, width },
        [
          ['Plan', safeText(shown.plan)],
          ['ID', formatField(shown.planId)],
          ['Operation', shown.operation],
          [
            'Profile',
            `${formatField(shown.profile ?? 'none')} (${shown.mode}, ${formatField(shown.baseUrl)})`,
          ],
          [
            'Planned',
            `${formatTime(shown.createdAt, options.timeZone) ?? ''} by ${formatField(shown.planner)}${shown.approvals.plannerSigned ? ' (signed)' : ''}`,
          ],
          ...approvalDetails(shown.approvals),
          ['Input', safeText(shown.input)],
          ['Digest', formatField(shown.digest)],
        ],
        [
          ['Rows', counts],
          ...totals.map(
            ({ currencyCode, count, amount }, at) =>
              [
                at === 0 ? 'Ready' : '',
                `${formatAmount(amount, currencyCode) ?? ''} in ${pluralize(count, 'row')}`,
              ] as const,
          ),
          ...effectsOfPlan(shown).map((effect) => ['', effect] as const),
        ],
      ),
      '',
      data.length === 0 ? 'No rows.' : renderRows(data, options),
    ].join('\n')
  },
}

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
