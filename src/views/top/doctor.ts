import { GAP, renderGrid } from '../../output/grid.ts'
import type { Tone } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { widestOf } from '../../output/width.ts'
import { wrapWords } from '../../output/wrap.ts'
import { pluralize } from '../../text/words.ts'

/** The result of one check. */
export interface CheckResult {
  /** Name of the check, such as `ledger`; scripts rely on it. */
  readonly check: string
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped'
  /** What the check found, in one sentence. */
  readonly says: string
  /** How to fix it. */
  readonly remedy?: string | undefined
  /** Commands to run. */
  readonly next?: readonly string[] | undefined
}

export interface Diagnosis {
  readonly problems: number
  readonly warnings: number
  readonly findings: readonly CheckResult[]
}

const NARROWEST = 20

/** A mark and a word, so that colour is never the only sign. */
const STATUS_STYLES = {
  ok: ['✓', 'ok', 'good'],
  warning: ['!', 'warning', 'warn'],
  problem: ['✗', 'problem', 'bad'],
  skipped: ['–', 'skipped', 'dim'],
} as const satisfies Record<CheckResult['status'], readonly [string, string, Tone]>

export const doctorView: View<Diagnosis> = {
  ids: ({ findings }) =>
    findings.flatMap(({ check, status }) => (status === 'problem' || status === 'warning' ? [check] : [])),
  csvColumns: [],
  render: ({ findings, problems, warnings }, options) =>
    [...linesOf(findings, options), '', summary(problems, warnings, options)].join('\n'),
}

/** One row per check: mark, name, then the finding, its remedy and commands. */
function linesOf(findings: readonly CheckResult[], { paint, width }: RenderOptions): readonly string[] {
  const markWidth = widestOf(Object.values(STATUS_STYLES).map(formatStatus))
  const names = findings.map(({ check }) => check)
  const usedWidth = markWidth + GAP.length + widestOf(names) + GAP.length
  const textWidth = width === undefined ? undefined : Math.max(NARROWEST, width - usedWidth)
  return renderGrid(
    [
      {
        cells: findings.map(({ status }) => formatStatus(STATUS_STYLES[status])),
        toneOf: (row) => STATUS_STYLES[findings[row]?.status ?? 'ok'][2],
        width: markWidth,
      },
      { cells: names },
      {
        cells: findings.map(({ says, remedy = '', next = [] }) =>
          [
            ...wrapWords(safeText(says), textWidth),
            ...(remedy === '' ? [] : wrapWords(safeText(remedy), textWidth)),
            // A command stays on one line, ready to copy.
            ...next.map((command) => `${paint('$', 'dim')} ${safeText(command)}`),
          ].join('\n'),
        ),
      },
    ],
    paint,
  )
}

const formatStatus = ([mark, word]: readonly [string, string, Tone]): string => `${mark} ${word}`

function summary(problems: number, warnings: number, { paint }: RenderOptions): string {
  if (problems > 0)
    return paint(`${pluralize(problems, 'problem')}, ${pluralize(warnings, 'warning')}.`, 'bad')
  return warnings > 0
    ? paint(`No problems, ${pluralize(warnings, 'warning')}.`, 'warn')
    : paint('No problems found.', 'good')
}
