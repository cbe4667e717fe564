import type { Operation } from '../operation.ts'
import { createSessionRequest, getSessionQuery, session, updateSessionRequest } from '../models/session.ts'

const WRITE = { idempotencyKey: false, risk: 'write', scope: 'client-sessions:write', beta: false } as const

export const createSession = {
  id: 'session.create',
  method: 'POST',
  path: '/client-session',
  summary: 'Create a client session',
  request: createSessionRequest,
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
