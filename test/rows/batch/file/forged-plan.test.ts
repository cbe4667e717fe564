import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlan } from '../../../../src/rows/batch/file/read-plan.ts'
import { writePlan } from '../../../../src/rows/batch/file/write-plan.ts'
import type { PlanRow } from '../../../../src/rows/batch/plan.ts'
import { NO_INPUT, planHeader } from '../../../support/batch-plan.ts'
import { rowOf } from './plan-row.ts'
import { newFolder } from '../../../support/folder.ts'

test.each<[string, Partial<PlanRow>]>([
  ['a ready row without a payment', { paymentId: undefined }],
  ['a ready row without an amount', { amount: undefined }],
  ['a ready row of zero', { amount: 0 }],
  ['a ready row without a currency', { currencyCode: undefined }],
  ['a ready row without figures', { figures: undefined }],
  ['a negative amount', { amount: -5 }],
  ['an amount with decimals', { amount: 1.5 }],
  ['a row number that was there before', { row: 1 }],
])('a plan with a digest that fits, but not written by pay is refused for %s', (_, change) => {
  const folder = newFolder()
  const path = join(folder, 'a.plan.ndjson')
  const writer = writePlan({ path, shown: 'a', header: planHeader(), replaces: false })
  for (const row of [rowOf(1), rowOf(2, change)]) writer.add(row)
  writer.finish(NO_INPUT)
  expect(() => openPlan(path, 'a')).toThrow(expect.objectContaining({ code: 'plan_changed', exitCode: 2 }))
})
