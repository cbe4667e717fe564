import type { OperationFacts } from '../operation.ts'
import { READ } from './read.ts'

export const ORDER_TOTAL = 'The total of an order must be between 0 and 2^53-1.'

const WRITE = {
  ownId: 'clientToken',
  idempotencyKey: false,
  keepsBody: false,
  amount: 'none',
  effect: 'none',
  verdict: 'http-status',
  countsRefusals: false,
  clientFields: null,
  risk: 'write',
  scope: 'client-sessions:write',
  beta: false,
} as const

export const SESSION_FACTS = {
  'session.create': {
    method: 'POST',
    path: '/client-session',
    summary: 'Create a client session',
    bodyOptional: true,
    replay: 'never',
    targets: [],
    creates: 'session',
    command: 'session create',
    words: { deed: 'a session', verb: 'create it' },
    notes: [
      'Without an amount, the service calculates it from line items, fees and shipping.',
      ORDER_TOTAL,
      'Omitted fields can be set when the payment is created.',
    ],
    ...WRITE,
  },
  'session.update': {
    method: 'PATCH',
    path: '/client-session',
    summary: 'Change a client session',
    nullClears: true,
    replay: 'safe',
    targets: [{ kind: 'session', of: ['clientToken'], isSecret: true }],
    creates: null,
    command: 'session update',
    words: { deed: 'a change of a session', verb: 'change it' },
    notes: [
      'Send only the fields to change. customer, metadata, order, paymentMethod and lists are replaced as a whole.',
      ORDER_TOTAL,
      'paymentMethod.options cannot be changed.',
    ],
    ...WRITE,
  },
  'session.get': {
    method: 'GET',
    path: '/client-session',
    summary: 'Read a client session',
    clientFields: [],
    command: null,
    scope: 'client-sessions:read',
    beta: false,
    ...READ,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>
