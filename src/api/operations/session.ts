import { ORDER_FIELDS_OF_21 } from '../models/order.ts'
import type { Operation } from '../operation.ts'
import { createSessionRequest, getSessionQuery, session, updateSessionRequest } from '../models/session.ts'

const WRITE = {
  ownId: 'clientToken',
  idempotencyKey: false,
  risk: 'write',
  scope: 'client-sessions:write',
  beta: false,
} as const

const ADDED_IN_21 = ['paymentMethod.paymentType', 'paymentMethod.descriptor', ...ORDER_FIELDS_OF_21] as const

export const createSession = {
  id: 'session.create',
  method: 'POST',
  path: '/client-session',
  summary: 'Create a client session',
  request: createSessionRequest,
  addedIn21: ADDED_IN_21,
  bodyOptional: true,
  response: session,
  replay: 'never',
  ...WRITE,
} as const satisfies Operation

export const updateSession = {
  id: 'session.update',
  method: 'PATCH',
  path: '/client-session',
  summary: 'Change a client session',
  request: updateSessionRequest,
  addedIn21: ADDED_IN_21,
  nullClears: true,
  response: session,
  replay: 'safe',
  targets: [{ kind: 'session', of: ['clientToken'], isSecret: true }],
  ...WRITE,
} as const satisfies Operation

export const getSession = {
  id: 'session.get',
  method: 'GET',
  path: '/client-session',
  summary: 'Read a client session',
  query: getSessionQuery,
  response: session,
  idempotencyKey: false,
  replay: 'safe',
  risk: 'read',
  scope: 'client-sessions:read',
  beta: false,
} as const satisfies Operation
