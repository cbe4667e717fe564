import type { Instrument, InstrumentList } from '../../api/models/instrument.ts'
import { renderDetails } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { formatMethodWithExpiry } from '../payment-method.ts'
import { formatField, formatFreeText, addNote, formatYesNo } from '../format-fields.ts'
import { formatTime, formatTimeForTable } from '../format-time.ts'

const CSV_COLUMNS = [
  'token',
  'tokenType',
  'paymentMethodType',
  'customerId',
  'default',
  'deleted',
  'description',
  'createdAt',
  'deletedAt',
  'isVerified',
  'paymentMethodData.network',
  'paymentMethodData.last4Digits',
  'paymentMethodData.expirationMonth',
  'paymentMethodData.expirationYear',
] as const

/** A saved payment method. Its token is its ID, and the only payment method token that any view shows. */
export const instrumentView: View<Instrument> = {
  ids: ({ token }) => (token === undefined ? [] : [token]),
  csvColumns: CSV_COLUMNS,
  render: (instrument, { paint, width, timeZone }) =>
    renderDetails({ paint, width }, [
      ['Saved method', formatField(instrument.token)],
      ['Method', formatMethodWithExpiry(instrument)],
      ['Customer', formatField(instrument.customerId)],
      ['Description', formatFreeText(instrument.description)],
      ['Default', formatYesNo(instrument.default)],
      ['Verified', formatYesNo(instrument.isVerified)],
      ['Token type', formatField(instrument.tokenType)],
      ['Created', formatTime(instrument.createdAt, timeZone)],
      ['Deleted', deletionOf(instrument, timeZone)],
    ]),
}

export const instrumentListView: View<InstrumentList> = {
  ids: ({ data }) => data.flatMap(({ token }) => (token === undefined ? [] : [token])),
  itemsKey: 'data',
  csvColumns: CSV_COLUMNS,
  render: ({ data }, options) =>
    data.length === 0 ? 'No saved payment methods found.' : renderTable(columnsFor(options), data, options),
}

const columnsFor = (options: RenderOptions): readonly Column<Instrument>[] => [
  { title: 'TOKEN', text: ({ token }) => formatField(token) ?? '', tone: () => 'strong' },
  { title: 'METHOD', text: (instrument) => formatMethodWithExpiry(instrument) ?? '' },
  {
    title: 'DEFAULT',
    text: (instrument) => (instrument.default === true ? '✓ default' : ''),
    tone: () => 'good',
  },
  {
    title: 'DELETED',
    text: (instrument) => (instrument.deleted === true ? '✗ deleted' : ''),
    tone: () => 'bad',
  },
  { title: 'CREATED', text: ({ createdAt }) => formatTimeForTable(createdAt, options) ?? '', drop: 2 },
  { title: 'DESCRIPTION', text: ({ description }) => formatFreeText(description) ?? '', drop: 1 },
]

function deletionOf({ deleted, deletedAt }: Instrument, timeZone: string | undefined): string | undefined {
  const time = formatTime(deletedAt, timeZone)
  return deleted === true || time !== undefined ? addNote('yes', time) : undefined
}
