import { expect, test } from 'vitest'
import { readTable } from '../../src/bulk/read/table.ts'
import { createRowWarnings } from '../../src/bulk/map/row-warnings.ts'
import { TEMPLATE_FIELDS, templateRow } from '../../src/commands/observability/template.ts'

test('the template is a file that can be sent', () => {
  const text = `${TEMPLATE_FIELDS.join(',')}\n`
  const words = { columns: new Map<string, string>(), constants: new Map<string, string>() }
  const rowWarnings = createRowWarnings()
  const { rowOf } = readTable(Buffer.from(text), words, { amounts: 'minor', assumesUtc: false }, rowWarnings)
  expect(rowOf(templateRow())).toMatchObject({
    paymentId: 'ext-1',
    prepared: { body: { amount: 2500 } },
    problems: [],
  })
  expect(rowWarnings.all()).toEqual([])
})
