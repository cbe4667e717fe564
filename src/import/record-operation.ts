import { createExternalPayment, updateExternalPayment } from '../api/operations/observability.ts'
import type { PreparedRow } from '../bulk/map/row.ts'
import type { RowOperation, RowRefusal, RowRequest, RowResult } from '../bulk/send/row-operation.ts'
import { buildRequest } from '../calls/build.ts'
import type { RequestTarget } from '../calls/build.ts'
import { PayError } from '../errors.ts'
import { stringifyJson } from '../json/json.ts'

/** What to do with a row whose record exists. */
export const ON_EXISTS = ['update', 'skip', 'fail'] as const
export type OnExists = (typeof ON_EXISTS)[number]

const EXISTS = createExternalPayment.doneOnResend.errorId

/**
 * Creates the record of a row; if it exists, does what `onExists` says. Both requests are safe to repeat: the paymentId of
 * a record is unique.
 */
export function createRecordOperation(target: RequestTarget, onExists: OnExists): RowOperation {
  const parts = { ...target, query: {} }
  const template = buildRequest(createExternalPayment, { ...parts, params: {}, body: '{}' })

  const updateOf = ({ id, body }: PreparedRow): RowRequest => {
    // Neither can be changed.
    const { paymentId: _id, createdAt: _createdAt, ...changes } = body
    const params = { paymentId: id }
    const request = buildRequest(updateExternalPayment, { ...parts, params, body: stringifyJson(changes) })
    return { operation: updateExternalPayment, params, request, outcome: 'updated' }
  }

  const update = (row: PreparedRow): RowRequest | RowResult => {
    try {
      return updateOf(row)
    } catch (error) {
      // Some paymentIds can't be part of a path.
      if (!(error instanceof PayError)) throw error
      return { outcome: 'failed', message: `the record exists and cannot be updated: ${error.message}` }
    }
  }

  return {
    requestFor: ({ id, body }) => ({
      operation: createExternalPayment,
      params: { paymentId: id },
      request: { ...template, body: stringifyJson(body) },
      outcome: 'created',
    }),
    afterRefusal: ({ row, operation, errorId, maybeDone }: RowRefusal) => {
      if (operation !== createExternalPayment || errorId !== EXISTS) return undefined
      if (onExists === 'update') return update(row)
      // The record may be this import's or someone else's; nothing tells them apart.
      if (maybeDone)
        return { outcome: 'unknown', message: 'the record exists; an earlier attempt may have created it' }
      return { outcome: onExists === 'skip' ? 'skipped' : 'failed' }
    },
  }
}
