import { createExternalPayment } from '../../../src/api/operations/observability.ts'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import { readNdjson } from '../../../src/rows/read/ndjson.ts'
import { checkBody } from '../../../src/cli/request/validate.ts'
import { RECORD } from '../../../src/rows/import/record-fields.ts'

export const GOOD = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  processor: { name: 'ACME' },
  amount: 700,
  createdAt: '2026-01-31T09:30:00Z',
  order: { id: 'A-1' },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
}
export const MINOR = { amounts: 'minor', assumesUtc: false } as const
export const MAJOR = { amounts: 'major', assumesUtc: false } as const

export function sourceOf({
  options = MINOR,
  constants = {},
}: {
  readonly options?: typeof MINOR | typeof MAJOR
  readonly constants?: Readonly<Record<string, string>>
} = {}) {
  const rowWarnings = createRowWarnings()
  const mapping = { columns: new Map<string, string>(), constants: new Map(Object.entries(constants)) }
  const check = (body: unknown) => checkBody(createExternalPayment, body)
  return { ...readNdjson(RECORD, { mapping, cells: options, check, rowWarnings }), rowWarnings }
}

export function rowsOf(text: string, options: Parameters<typeof sourceOf>[0] = {}) {
  const { rowOf } = sourceOf(options)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowOf([line]))
}
export const lineOf = (changes: object) => `${JSON.stringify({ ...GOOD, ...changes })}\n`
