import type { OperationId } from '../../api/facts.ts'
import type { Endpoint } from '../request/endpoint.ts'
import { instrumentDefault, instrumentDelete, instrumentList, instrumentVault } from './instrument.ts'
import { loyaltyCreate } from './loyalty.ts'
import { observabilityPush, observabilityUpdate, recordGet, recordList } from './observability.ts'
import { paymentAuthorize } from './payment-authorize.ts'
import { paymentAdjust, paymentCancel, paymentResume } from './payment-change.ts'
import { paymentCreate } from './payment-create.ts'
import { paymentGet, paymentList } from './payment-read.ts'
import { paymentCapture, paymentRefund } from './payment-settle.ts'
import { sessionCreate, sessionGet, sessionUpdate } from './session.ts'

/** The handler of each operation; an operation without one doesn't compile. */
export const ENDPOINTS: Readonly<Record<OperationId, Endpoint>> = {
  'session.create': sessionCreate,
  'session.update': sessionUpdate,
  'session.get': sessionGet,
  'payment.create': paymentCreate,
  'payment.get': paymentGet,
  'payment.list': paymentList,
  'payment.authorize': paymentAuthorize,
  'payment.capture': paymentCapture,
  'payment.refund': paymentRefund,
  'payment.adjust': paymentAdjust,
  'payment.resume': paymentResume,
  'payment.cancel': paymentCancel,
  'observability.push': observabilityPush,
  'observability.update': observabilityUpdate,
  'observability.get': recordGet,
  'observability.list': recordList,
  'loyalty.create': loyaltyCreate,
  'instrument.list': instrumentList,
  'instrument.default': instrumentDefault,
  'instrument.delete': instrumentDelete,
  'instrument.vault': instrumentVault,
}
