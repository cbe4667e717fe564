import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownRows } from '../../../../src/rows/batch/apply/input-rows.ts'
import type { RowResult } from '../../../../src/rows/batch/apply/row-result.ts'
import { formsOf, linesOf } from '../../../../src/rows/batch/apply/output-lines.ts'
import type { PlanRow, PlanSource } from '../../../../src/rows/batch/plan.ts'
import { writeOutputs } from '../../../../src/rows/keep/row-files.ts'
import { safeText } from '../../../../src/output/safe-text.ts'
import { planHeader, planRow } from '../../../support/batch-plan.ts'
import { useFolder } from '../../../support/folder.ts'

const folder = useFolder()

const at = (name: string) => join(folder(), name)
const NDJSON: PlanSource = { format: 'ndjson', encoding: 'utf-8', hasMark: false }
const write = async (
  rows: readonly PlanRow[],
  result: RowResult | undefined,
  source = NDJSON,
): Promise<void> => {
  const own = await ownRows({ header: planHeader({ source }) })
  await writeOutputs(
    { results: at('r'), rejects: at('x') },
    formsOf(own.rejects),
    linesOf(own, rows, () => result, safeText),
  )
}

test.each<[reason: string, verdict: PlanRow['verdict'], result: RowResult | undefined]>([
  ['not_found: why', 'not_found', undefined],
  ['not_begun', 'ready', undefined],
  ['failed: no', 'ready', { outcome: 'failed', message: 'no' }],
  ['unknown', 'ready', { outcome: 'unknown' }],
  ['skipped: blocked', 'ready', { outcome: 'skipped', message: 'blocked' }],
  ['payment_moved', 'ready', { outcome: 'skipped', message: 'its amount', isMoved: true }],
])('the reason of rejects is %s', async (reason, verdict, result) => {
  const row = planRow(1, 'p1', { verdict, ...(verdict === 'ready' ? {} : { message: 'why' }) })
  await write([row], result)
  expect(readFileSync(at('x'), 'utf8')).toBe(
    `{"paymentId":"p1","amount":"5.00 EUR","currencyCode":"EUR","reason_not_done":"${reason}"}\n`,
  )
})

test('formulas in the message are guarded', async () => {
  await write([planRow(1, 'p1')], { outcome: 'failed', errorId: '=cmd()', message: '+1' })
  expect(readFileSync(at('r'), 'utf8')).toContain("1,p1,,ready,failed,500,EUR,'=cmd(),'+1")
})

test('rows without an outcome are left out of the results, and rows that are done out of the rejects', async () => {
  await write([planRow(1, 'p1')], undefined)
  expect(readFileSync(at('r'), 'utf8').split('\n')).toHaveLength(2)
  await write([planRow(1, 'p1')], { outcome: 'done' })
  expect(readFileSync(at('x'), 'utf8')).toBe('')
})

test('text of a service or an input cannot control a terminal', async () => {
  const hostile = 'a\u001b[2J\u009b\u202e\0z'
  const shown = String.raw`a\u001b[2J\u009b\u202e\u0000z`
  await write(
    [
      planRow(1, hostile, { orderId: hostile }),
      planRow(2, 'p2', { verdict: 'bad_row', message: hostile, currencyCode: hostile }),
    ],
    { outcome: 'failed', errorId: hostile, message: hostile },
  )

  expect(readFileSync(at('r'), 'utf8').split('\n').slice(1)).toEqual([
    `1,${shown},${shown},ready,failed,500,EUR,${shown},${shown}`,
    `2,p2,,bad_row,not_ready,500,${shown},,${shown}`,
    '',
  ])
  expect(readFileSync(at('x'), 'utf8')).toContain(`"reason_not_done":${JSON.stringify(`failed: ${shown}`)}`)
})
