import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'

export interface SmokeStep {
  readonly title: string
  /** The command line that runs it. */
  readonly command: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly says: string
  readonly exitCode: number
  readonly durationMs: number
  readonly requestId?: string | undefined
}

export interface SmokeResult {
  readonly passed: number
  readonly total: number
  readonly steps: readonly SmokeStep[]
}

const MARKS = { passed: ['✓', 'good'], failed: ['✗', 'bad'], skipped: ['-', 'dim'] } as const

/** Shows the steps and the summary; with `isQuiet`, only failed steps. */
export const smokeView = ({ isQuiet }: { readonly isQuiet: boolean }): View<SmokeResult> => ({
  ids: () => [],
  csvColumns: [],
  render: ({ passed, total, steps }, { paint }) =>
    [
      ...steps.flatMap((step, index) => {
        if (isQuiet && step.outcome !== 'failed') return []
        const [mark, tone] = MARKS[step.outcome]
        const request = step.requestId === undefined ? '' : `, request ${safeText(step.requestId)}`
        const exit = step.outcome === 'failed' ? `exit ${step.exitCode}, ` : ''
        const time =
          step.outcome === 'skipped' ? '' : paint(`  (${exit}${step.durationMs} ms${request})`, 'dim')
        return [
          `${paint(mark, tone)} ${String(index + 1).padStart(2)}. ${paint(step.title, 'strong')}`,
          `      ${paint(`$ ${safeText(step.command)}`, 'dim')}`,
          `      ${safeText(step.says)}${time}`,
          '',
        ]
      }),
      passed === total
        ? paint(`All ${total} steps passed.`, 'good')
        : paint(`${passed} of ${total} steps passed.`, 'bad'),
    ].join('\n'),
})
