import { GAP, gridLines } from '../../output/grid.ts'
import type { Tone } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { widestOf } from '../../output/width.ts'
import { wrapWords } from '../../output/wrap.ts'
import { counted } from '../shown.ts'

/** What one look at this machine has found. */
export interface CheckResult {
  /** What was looked at: `ledger`. A name that stays. */
  readonly check: string
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped'
  readonly says: string
  /** What to do about it. */
  readonly remedy?: string | undefined
  /** Commands to type. */
  readonly next?: readonly string[] | undefined
}

export interface Diagnosis {
  readonly problems: number
  readonly warnings: number
  readonly findings: readonly CheckResult[]
}

const NARROWEST = 20

/** A mark and a word: nothing is told by colour alone. */
const LOOKS = {
  ok: ['✓', 'ok', 'good'],
  warning: ['!', 'warning', 'warn'],
  problem: ['✗', 'problem', 'bad'],
  skipped: ['–', 'not asked', 'dim'],
} as const satisfies Record<CheckResult['status'], readonly [string, string, Tone]>

export const doctorView: View<Diagnosis> = {
  ids: ({ findings }) =>
    findings.flatMap(({ check, status }) => (status === 'problem' || status === 'warning' ? [check] : [])),
  csvColumns: [],
  render: ({ findings, problems, warnings }, options) =>
    [...linesOf(findings, options), '', summary(problems, warnings, options)].join('\n'),
}

/** What each says, and what to do about it, beside its mark and its name. */
function linesOf(findings: readonly CheckResult[], { paint, width }: RenderOptions): readonly string[] {
  const markWidth = widestOf(Object.values(LOOKS).map(wordsOf))
  const names = findings.map(({ check }) => check)
  const taken = markWidth + GAP.length + widestOf(names) + GAP.length
  const room = width === undefined ? undefined : Math.max(NARROWEST, width - taken)
  return gridLines(
    [
      {
        texts: findings.map(({ status }) => wordsOf(LOOKS[status])),
        toneOf: (row) => LOOKS[findings[row]?.status ?? 'ok'][2],
        width: markWidth,
      },
      { texts: names },
      {
        texts: findings.map(({ says, remedy = '', next = [] }) =>
          [
            ...wrapWords(safeText(says), room),
            ...(remedy === '' ? [] : wrapWords(safeText(remedy), room)),
            // A command stays in one piece, to be copied.
            ...next.map((command) => `${paint('$', 'dim')} ${safeText(command)}`),
          ].join('\n'),
        ),
      },
    ],
    paint,
  )
}

const wordsOf = ([mark, word]: readonly [string, string, Tone]): string => `${mark} ${word}`

function summary(problems: number, warnings: number, { paint }: RenderOptions): string {
  if (problems > 0) return paint(`${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`, 'bad')
  return warnings > 0
    ? paint(`No problems, ${counted(warnings, 'warning')}.`, 'warn')
    : paint('All is well.', 'good')
}
