import { resolve } from 'node:path'
import { openInputRows } from '../../rows/batch/apply/input-rows.ts'
import type { PlanFile } from '../../rows/batch/file/read-plan.ts'
import { VERDICTS } from '../../rows/batch/plan.ts'
import type { Verdict, PlanCounts, PlanHeader, PlanRow } from '../../rows/batch/plan.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag } from '../../cli/command/input.ts'
import { longObjectOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { shownUrl } from '../../client/config/sandbox-url.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { PLAN_ARGUMENT, withPlan } from './plan-argument.ts'
import { shownApprovals, signatureDetails } from './signatures.ts'
import type { ShownApprovals } from './signatures.ts'
import { renderDetails } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { formatAmount, formatField } from '../../views/format-fields.ts'
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

/** The original cells by column, or the line of NDJSON. */
const cellsByName = (names: readonly string[] | undefined, cells: readonly string[]): ShownRow['cells'] =>
  names === undefined
    ? cells[0]
    : Object.fromEntries(cells.map((cell, at) => [names[at] ?? `column ${at + 1}`, cell]))

interface ShownRow extends Omit<PlanRow, 'type'> {
  /** The cells of the input: by column, or the line of NDJSON; missing if the input has changed or gone. */
  readonly cells?: Readonly<Record<string, string>> | string | undefined
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
          ...signatureDetails(shown, shown.approvals, options),
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
