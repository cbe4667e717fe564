import type { OperationFacts } from '../operation.ts'
import { READ } from './read.ts'

const WRITE = {
  echoes: 'paymentId',
  idempotencyKey: false,
  replay: 'safe',
  targets: [{ kind: 'record', of: ['paymentId'] }],
  keepsBody: false,
  amount: 'none',
  effect: 'none',
  verdict: 'http-status',
  countsRefusals: false,
  clientFields: null,
  risk: 'write',
  scope: 'observability-payments:write',
  beta: true,
} as const

const READ_RECORDS = { ...READ, clientFields: null, scope: 'payments:read', beta: false } as const

export const OBSERVABILITY_FACTS = {
  'observability.push': {
    method: 'POST',
    path: '/observability/payments',
    summary: 'Record a payment made elsewhere',
    doneOnResend: { errorId: 'EntityAlreadyExists', settleWith: 'observability.update' },
    creates: 'record',
    command: 'observability push',
    words: { deed: 'a new record', verb: 'record it' },
    notes: ['paymentId must be new. createdAt must be an existing date.'],
    ...WRITE,
  },
  'observability.update': {
    method: 'PATCH',
    path: '/observability/payments/{paymentId}',
    summary: 'Change the record of a payment made elsewhere',
    creates: null,
    command: 'observability update',
    words: { deed: 'a change of a record', verb: 'change it' },
    notes: [
      "Send only the changed parts of nested fields. You can't change createdAt: it must be the same instant as in the record.",
      'A paymentId in the body must equal the one in the path.',
    ],
    ...WRITE,
  },
  'observability.get': {
    method: 'GET',
    path: '/observability/payments/{paymentId}',
    summary: 'Read the record of a payment',
    echoes: 'paymentId',
    command: 'observability get',
    ...READ_RECORDS,
  },
  'observability.list': {
    method: 'GET',
    path: '/observability/payments',
    summary: 'List the records of all payments, newest first',
    command: null,
    ...READ_RECORDS,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>
