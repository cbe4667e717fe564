import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERDICTS } from '../../src/rows/batch/plan.ts'
import { ROW_STATES } from '../../src/rows/batch/verify/compare.ts'
import { VERDICTS as RECONCILE_VERDICTS } from '../../src/rows/reconcile/judge.ts'
import { ROOT } from '../support/spawn-pay.ts'

/** The names in the first column of the table with this header, in their order. */
function namesIn(page: string, header: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/reference', page), 'utf8')
  const [, table = ''] = text.split(`| ${header} |`)
  const rows =
    table
      .split(/\n(?!\|)/)[0]
      ?.split('\n')
      .slice(2) ?? []
  return rows.flatMap((row) =>
    [...(/^\|([^|]*)\|/.exec(row)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
}

test.each([
  [
    'batch.md',
    'verdict | the row',
    'the verdicts of a plan, in the order in which they are judged',
    VERDICTS,
  ],
  ['batch.md', 'state | the payment shows | counts in', 'what verify finds', ROW_STATES],
  ['reconcile.md', 'verdict | meaning', 'the verdicts of a reconciliation', RECONCILE_VERDICTS],
])('%s has, under "%s", %s', (page, header, _what, verdicts) => {
  expect(namesIn(page, header)).toEqual(verdicts)
})
