import { ORDER_FIELDS_OF_21 } from '../models/order.ts'
import { SESSION_FACTS } from '../facts/session.ts'
import type { Operation } from '../operation.ts'
import { createSessionRequest, getSessionQuery, session, updateSessionRequest } from '../models/session.ts'

const ADDED_IN_21 = ['paymentMethod.paymentType', 'paymentMethod.descriptor', ...ORDER_FIELDS_OF_21] as const

export const createSession = {
  ...SESSION_FACTS['session.create'],
  request: createSessionRequest,
  addedIn21: ADDED_IN_21,
  response: session,
} as const satisfies Operation

export const updateSession = {
  ...SESSION_FACTS['session.update'],
  request: updateSessionRequest,
  addedIn21: ADDED_IN_21,
  response: session,
} as const satisfies Operation

export const getSession = {
  ...SESSION_FACTS['session.get'],
  query: getSessionQuery,
  response: session,
} as const satisfies Operation
