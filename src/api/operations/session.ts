import { ORDER_FIELDS_OF_21 } from '../models/order.ts'
import { createSessionRequest, getSessionQuery, session, updateSessionRequest } from '../models/session.ts'
import { withSchemas } from './with-schemas.ts'

const ADDED_IN_21 = ['paymentMethod.paymentType', 'paymentMethod.descriptor', ...ORDER_FIELDS_OF_21] as const

export const createSession = withSchemas('session.create', {
  request: createSessionRequest,
  addedIn21: ADDED_IN_21,
  response: session,
})

export const updateSession = withSchemas('session.update', {
  request: updateSessionRequest,
  addedIn21: ADDED_IN_21,
  response: session,
})

export const getSession = withSchemas('session.get', { query: getSessionQuery, response: session })
