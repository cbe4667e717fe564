import type { Tone } from '../output/paint.ts'
import { safeText } from '../output/safe-text.ts'
import type { RenderOptions, View } from '../output/view.ts'
import { padding, widthOf, wrap } from '../output/width.ts'
import { counted } from './shown.ts'

/** What one look at this machine has found. */
export interface Finding {
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
  readonly findings: readonly Finding[]
}

const NARROWEST = 20

/** A mark and a word: nothing is told by colour alone. */
const LOOKS = {
  ok: ['✓', 'ok', 'good'],
  warning: ['!', 'warning', 'warn'],
  problem: ['✗', 'problem', 'bad'],
  skipped: ['–', 'not asked', 'dim'],
} as const satisfies Record<Finding['status'], readonly [string, string, Tone]>

export const doctorView: View<Diagnosis> = {
  ids: ({ findings }) =>
    findings.flatMap(({ check, status }) => (status === 'problem' || status === 'warning' ? [check] : [])),
  csvColumns: [],
  render: ({ findings, problems, warnings }, options) =>
    [
      ...findings.flatMap((finding) => linesOf(finding, findings, options)),
      '',
      summary(problems, warnings, options),
    ].join('\n'),
}

function linesOf(
  { check, status, says, remedy, next }: Finding,
  all: readonly Finding[],
  { paint, width }: RenderOptions,
): readonly string[] {
  const [mark, word, tone] = LOOKS[status]
  const names = Math.max(...all.map((finding) => finding.check.length))
  const words = Math.max(...Object.values(LOOKS).map(([, text]) => text.length))
  const head = `${paint(mark, tone)} ${paint(word, tone)}${padding(word, words)}  ${check}${padding(check, names)}  `
  const indent = ' '.repeat(widthOf(mark) + 1 + words + 2 + names + 2)
  // In a pipe a line stays one.
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST, width - indent.length)
  const [first = '', ...rest] = [says, ...(remedy === undefined ? [] : [remedy])].flatMap((text) =>
    wrap(safeText(text), room),
  )
  return [
    `${head}${first}`,
    ...rest.map((line) => `${indent}${line}`),
    // A command stays in one piece, to be copied.
    ...(next ?? []).map((line) => `${indent}${paint('$', 'dim')} ${safeText(line)}`),
  ]
}

function summary(problems: number, warnings: number, { paint }: RenderOptions): string {
  if (problems > 0) return paint(`${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`, 'bad')
  return warnings > 0
    ? paint(`No problems, ${counted(warnings, 'warning')}.`, 'warn')
    : paint('All is well.', 'good')
}
