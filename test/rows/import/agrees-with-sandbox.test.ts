import { describe, expect, test } from 'vitest'
import { createExternalPayment } from '../../../src/api/operations/observability.ts'
import { checkRecord } from '../../../src/commands/observability/check-record.ts'
import { RECORD, RECORD_FIELDS, REQUIRED_FIELDS } from '../../../src/rows/import/record-fields.ts'
import { segmentsOf, setValueAt } from '../../../src/rows/map/body-path.ts'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import type { InputRow } from '../../../src/rows/map/row.ts'
import { readNdjson } from '../../../src/rows/read/ndjson.ts'
import { readTable } from '../../../src/rows/read/table.ts'
import { csvLine } from '../../../src/rows/read/csv-line.ts'
import { firstRecords } from '../../../src/rows/read/csv.ts'
import { acceptBody } from '../../../src/sandbox/request/validation.ts'

const GOOD: Readonly<Record<string, unknown>> = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  'processor.name': 'ACME',
  amount: 700,
  createdAt: '2026-01-31T09:30:00Z',
  'order.id': 'A-1',
  'paymentMethod.paymentMethodType': 'PAYMENT_CARD',
}
const PATHS = [...Object.keys(RECORD_FIELDS), 'metadata.k', 'metadata.', 'metadata.__proto__', 'metadata.a.b']
const BAD = [
  'ZZ',
  'Paid',
  'settled',
  'x',
  '',
  ' ',
  '-1',
  '1.5',
  '9007199254740993',
  'true',
  'yes',
  'NEW',
  'null',
  'nan',
  '2026-02-30T00:00:00Z',
  '2026-01-31',
  '0001-01-01T00:00:00Z',
  '2026-01-31T09:30:00+01:00',
  'eur',
  'EURO',
  'a/b',
  '..',
  'é',
  '\u0000',
  '\u200B',
  '\uD800',
  '=1+1',
  'a\nb',
  'x'.repeat(5_000),
  'constructor',
]
const BAD_JSON = [...BAD, -1, 1.5, 2 ** 53, 12, true, null, [], {}, ['a'], { a: 1 }]
const cells = { amounts: 'minor', assumesUtc: false } as const
const mapping = { columns: new Map<string, string>(), constants: new Map<string, string>() }

/** Why the sandbox refuses a body; undefined if it takes it. */
function refusalOf(body: unknown): string | undefined {
  try {
    acceptBody(createExternalPayment, body)
    return undefined
  } catch (error) {
    return JSON.stringify(error)
  }
}

/** A row that the check calls good, and the sandbox refuses. */
function disagreement({ prepared }: InputRow, what: string): readonly string[] {
  if (prepared === undefined || prepared.isDoubtful === true) return []
  const refusal = refusalOf(JSON.parse(JSON.stringify(prepared.body)))
  return refusal === undefined ? [] : [`${what}: ${refusal}`]
}

describe('a row that the check calls good', () => {
  test('is one that the sandbox takes, in CSV', () => {
    const found = PATHS.filter((path) => path !== 'metadata.').flatMap((path) => {
      const names = [...new Set([...REQUIRED_FIELDS, path])]
      const header = csvLine(names)
      const options = { mapping, cells, rowWarnings: createRowWarnings() }
      const table = readTable(RECORD, Buffer.from(header), options)
      return BAD.flatMap((value) => {
        const line = names.map((name) => (name === path ? value : String(GOOD[name])))
        const [record] = firstRecords(Buffer.from(csvLine(line)), {})
        return disagreement(table.rowOf(record?.cells ?? []), `${path} ${JSON.stringify(value.slice(0, 40))}`)
      })
    })
    expect(found).toEqual([])
  })

  test('is one that the sandbox takes, in NDJSON', () => {
    const rowWarnings = createRowWarnings()
    const { rowOf } = readNdjson(RECORD, { mapping, cells, check: checkRecord, rowWarnings })
    const found = PATHS.flatMap((path) =>
      BAD_JSON.flatMap((value) => {
        const body: Record<string, unknown> = {}
        for (const [name, good] of Object.entries(GOOD)) setValueAt(body, segmentsOf(name), good)
        setValueAt(body, path === 'metadata.' ? ['metadata', ''] : segmentsOf(path), value)
        return disagreement(rowOf([JSON.stringify(body)]), `${path} ${JSON.stringify(value).slice(0, 40)}`)
      }),
    )
    expect(found).toEqual([])
  })
})
