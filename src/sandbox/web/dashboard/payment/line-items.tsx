import type { Order } from '../../../../api/models/order.ts'
import { formatFreeText } from '../../../../views/format-fields.ts'
import { formatAmount } from '../../page/format.ts'
import { Table } from '../parts/table.tsx'

interface LineItemsProps {
  readonly order: Order | undefined
  readonly currencyCode: string | undefined
}

export function LineItems({ order, currencyCode }: LineItemsProps) {
  const rows = (order?.lineItems ?? []).map((item, index) => ({ ...item, index }))
  if (rows.length === 0) return null
  type Item = (typeof rows)[number]
  const money = (amountMinor: number | undefined) =>
    amountMinor === undefined ? '' : formatAmount(amountMinor, currencyCode)
  return (
    <>
      <h3>Line items</h3>
      <Table
        label="Line items"
        keyOf={({ index }) => String(index)}
        rows={rows}
        columns={[
          {
            name: 'Item',
            cell: ({ name, description, itemId }) => formatFreeText(name ?? description ?? itemId),
          },
          { name: 'Quantity', isFigure: true, cell: ({ quantity }) => quantity ?? 1 },
          { name: 'Price', isFigure: true, cell: ({ amount }) => money(amount) },
          ...EXTRAS.filter(({ field }) => rows.some((row) => row[field] !== undefined)).map(
            ({ name, field }) => ({
              name,
              isFigure: true,
              cell: (row: Item) => money(row[field]),
            }),
          ),
        ]}
      />
    </>
  )
}

/** Columns that most orders don't need. */
const EXTRAS = [
  { name: 'Discount', field: 'discountAmount' },
  { name: 'Tax', field: 'taxAmount' },
] as const
