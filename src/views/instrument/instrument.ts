import type { Instrument, InstrumentList } from '../../api/models/instrument.ts'
import { renderDetails } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { methodWithExpiry } from '../payment-method.ts'
import { shown, shownWords, withNote, yesOrNo } from '../format-fields.ts'
import { shownTime, shownTimeIn } from '../format-time.ts'

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

/** A saved payment method: its token is its id, and the only payment method token that is ever shown. */
export const instrumentView: View<Instrument> = {
  ids: ({ token }) => (token === undefined ? [] : [token]),
  csvColumns: CSV_COLUMNS,
  render: (instrument, { paint, width, timeZone }) =>
    renderDetails(
      [
        [
          ['Saved method', shown(instrument.token)],
          ['Method', methodWithExpiry(instrument)],
          ['Customer', shown(instrument.customerId)],
          ['Description', shownWords(instrument.description)],
          ['Default', yesOrNo(instrument.default)],
          ['Verified', yesOrNo(instrument.isVerified)],
          ['Token type', shown(instrument.tokenType)],
          ['Created', shownTime(instrument.createdAt, timeZone)],
          ['Deleted', deletionOf(instrument, timeZone)],
        ],
      ],
      paint,
      width,
    ),
}

export const instrumentListView: View<InstrumentList> = {
  ids: ({ data }) => data.flatMap(({ token }) => (token === undefined ? [] : [token])),
  itemsKey: 'data',
  csvColumns: CSV_COLUMNS,
  render: ({ data }, options) =>
    data.length === 0 ? 'No saved payment methods found.' : renderTable(columnsFor(options), data, options),
}

const columnsFor = (options: RenderOptions): readonly Column<Instrument>[] => [
  { title: 'TOKEN', text: ({ token }) => shown(token) ?? '', tone: () => 'strong' },
  { title: 'METHOD', text: (instrument) => methodWithExpiry(instrument) ?? '' },
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
  { title: 'CREATED', text: ({ createdAt }) => shownTimeIn(createdAt, options) ?? '', drop: 2 },
  { title: 'DESCRIPTION', text: ({ description }) => shownWords(description) ?? '', drop: 1 },
]

function deletionOf({ deleted, deletedAt }: Instrument, timeZone: string | undefined): string | undefined {
  const time = shownTime(deletedAt, timeZone)
  return deleted === true || time !== undefined ? withNote('yes', time) : undefined
}
