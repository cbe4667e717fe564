import { REASON_NOT_DONE } from '../plan.ts'
import type { FieldKind, FieldSchema } from '../../map/field-schema.ts'

/** The fields of a row, as columns or keys. */
export const BATCH_FIELDS = {
  paymentId: 'id',
  orderId: 'id',
  amount: 'amount-or-all',
  currencyCode: 'currency',
  reason: 'text',
  ticket: 'id',
  final: 'flag',
} as const satisfies Record<string, FieldKind>

/** A row of a batch. It needs a `paymentId` or an `orderId`; see {@link NAMING_FIELDS}. */
export const BATCH_ROW: FieldSchema = {
  noun: 'batch row',
  kinds: BATCH_FIELDS,
  hasMetadata: false,
  required: [],
  sets: {},
  id: 'paymentId',
  order: 'orderId',
  currency: 'currencyCode',
  reasonColumn: REASON_NOT_DONE,
  hints: {
    header: 'It must start with a header, such as paymentId,amount,currencyCode,reason,ticket.',
    mapping:
      'The fields are paymentId, orderId, amount, currencyCode, reason, ticket and, for captures, final. Name their columns with --map FIELD=COLUMN, which leaves other columns out; give values that are the same in every row with --const FIELD=VALUE. pay batch template FILE prints the whole command.',
  },
}

/** The fields of which one must say which payment a row means. */
export const NAMING_FIELDS = ['paymentId', 'orderId'] as const
