import { resolve } from 'node:path'
import { openInputRows } from '../../batch/apply/input-rows.ts'
import type { PlanFile } from '../../batch/file/read-plan.ts'
import { VERDICTS } from '../../batch/plan.ts'
import type { Verdict } from '../../batch/plan.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag } from '../../cli/command/input.ts'
import { longObjectOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { shownUrl } from '../../config/sandbox-url.ts'
import { shownPlanView } from '../../views/batch/shown-plan.ts'
import type { ShownRow } from '../../views/batch/shown-plan.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { PLAN_ARGUMENT, withPlan } from './plan-argument.ts'

export const command: CommandSpec = {
  path: ['batch', 'show'],
  summary: 'Show a plan: its totals and its rows with their verdicts',
  details:
    'Checks the whole file first and refuses a plan that was changed. Needs no account and no network. As CSV or NDJSON, prints one row of the plan per line.',
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
    return withPlan(invocation, input, (plan, shown) => show(plan, { cwd, shown, verdicts }))
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
}

async function show(plan: PlanFile, { cwd, shown, verdicts }: Shown): Promise<Result> {
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
  const facts = { plan: shown, ...about, baseUrl: shownUrl(about.baseUrl), ...counts }
  const list = { key: 'data', length: data.length, jsonLines: () => data.map((row) => JSON.stringify(row)) }
  return longObjectOf({ head: facts, ...list }, { ...facts, data }, shownPlanView)
}

/** The original cells by column, or the line of NDJSON. */
const cellsByName = (names: readonly string[] | undefined, cells: readonly string[]): ShownRow['cells'] =>
  names === undefined
    ? cells[0]
    : Object.fromEntries(cells.map((cell, at) => [names[at] ?? `column ${at + 1}`, cell]))
