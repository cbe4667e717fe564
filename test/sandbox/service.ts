import { expect, onTestFinished } from 'vitest'
import { z } from '../../src/api/schema.ts'
import { findRoute } from '../../src/api/table.ts'
import { advanceTime } from '../../src/sandbox/controls/clock.ts'
import { answerChallenge, tokenize } from '../../src/sandbox/controls/customer.ts'
import type { ChallengeAnswer, MethodToTokenize } from '../../src/sandbox/controls/customer.ts'
import type { CheckoutSettings } from '../../src/api/checkout-settings.ts'
import type { NewFault } from '../../src/sandbox/faults/fault.ts'
import type { IdempotencyStyle } from '../../src/sandbox/pipeline/process-request.ts'
import type { ServiceResponse } from '../../src/sandbox/answers/response.ts'
import type { ServiceRequest } from '../../src/sandbox/request/service-request.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { newFolder } from '../support/folder.ts'

export { newFolder }

export type Json = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

export interface CallOptions {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is, instead of a body. */
  readonly text?: string
}

export interface Service {
  readonly sandbox: Sandbox
  readonly folder: string
  /** Sends a request as it is. */
  handle(request: ServiceRequest): Promise<ServiceResponse>
  call(method: string, url: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** The body of a response that must be 200. */
  ok(method: string, url: string, body?: unknown, options?: CallOptions): Promise<Json>
}

export const NOW = new Date('2026-03-04T05:06:07.089Z')

/** mulberry32: the same numbers in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** In process, or over HTTP if `SANDBOX_OVER` says so: the rules are the same. */
export async function openService(
  folder = newFolder(),
  seed = 1,
  now = () => NOW,
  idempotency: IdempotencyStyle = 'reject',
): Promise<Service> {
  if (process.env['SANDBOX_OVER'] === 'http') {
    const { openServed } = await import('./serve/over-http.ts')
    return openServed({}, { folder, seed, now, idempotency })
  }
  const sandbox = await openSandbox({ folder, now, random: seededRandom(seed), idempotency })
  onTestFinished(() => sandbox.close())
  return serviceOver(sandbox, folder, (request) => sandbox.handle(request))
}

/** Works with either transport. */
export function serviceOver(
  sandbox: Sandbox,
  folder: string,
  handle: (request: ServiceRequest) => Promise<ServiceResponse>,
): Service {
  const call: Service['call'] = async (method, url, body, options = {}) => {
    const { key = 'sandbox_all', headers = {}, text } = options
    const answer = await handle({
      method,
      url,
      headers: { ...(key === '' ? {} : { 'x-api-key': key }), 'x-api-version': '2.1', ...headers },
      body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
    })
    const parsed = toJson(JSON.parse(answer.body))
    if (answer.status === 200) expectKnownShape(method, url, parsed)
    return { ...answer, body: parsed }
  }
  return {
    sandbox,
    folder,
    handle,
    call,
    ok: async (...request) => {
      const answer = await call(...request)
      expect(answer).toMatchObject({ status: 200 })
      return answer.body
    },
  }
}

/** Checks every response of every test against the schema that clients use. */
function expectKnownShape(method: string, url: string, body: Json): void {
  // As it is: a URL object would resolve the dots of an id.
  const { match } = findRoute(method, url.replace(/^https?:\/\/[^/]*/, '').replace(/\?.*/, ''))
  expect(z.safeParse(match?.operation.response() ?? z.never(), body).error?.issues).toBeUndefined()
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function toJson(value: unknown): Json {
  if (!isJson(value)) throw new Error('not a JSON object')
  return value
}

/** A value deep in a response: `at(payment, 'processor', 'amountCaptured')`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value
  for (const step of path) {
    if (Array.isArray(inner) && typeof step === 'number') inner = inner[step]
    else inner = isJson(inner) ? inner[String(step)] : undefined
  }
  return inner
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const text = at(value, ...path)
  if (typeof text !== 'string') throw new Error(`no text at ${path.join('.')}`)
  return text
}

export const refusal = (status: number, errorId: string) => ({ status, body: { error: { errorId } } })

export const HOUR_MS = 60 * 60 * 1000

interface InSandbox {
  readonly sandbox: Sandbox
}

export const advance = ({ sandbox }: InSandbox, ms: number) =>
  sandbox.write((context) => advanceTime(context, ms))

/** The requests that arrived, newest first. */
export const loggedIn = ({ sandbox }: InSandbox, limit = 100) =>
  sandbox.read(({ store }) => store.requests.list(limit))

export const addFault = ({ sandbox }: InSandbox, fault: Partial<NewFault>) =>
  sandbox.write(({ store }) =>
    store.faults.add({ on: '* /**', do: 'drop-before', rate: 1, seed: 7, skip: 0, ...fault }),
  )

export const faultsIn = ({ sandbox }: InSandbox) => sandbox.read(({ store }) => store.faults.list())

export const clearFaults = ({ sandbox }: InSandbox) => sandbox.write(({ store }) => store.faults.clear())

export const tokenized = ({ sandbox }: InSandbox, method: MethodToTokenize) =>
  sandbox.write((context) => tokenize(method, context))

export const answered = ({ sandbox }: InSandbox, answer: ChallengeAnswer) =>
  sandbox.write((context) => answerChallenge(answer, context))

export const changeSettings = ({ sandbox }: InSandbox, changes: Partial<CheckoutSettings>) =>
  sandbox.write(({ store: { settings } }) => settings.saveCheckout({ ...settings.checkout(), ...changes }))

/** A payment of 10.00 EUR with a fixed token. */
export const createPayment = (service: Service, token: string, more: Json = {}): Promise<Json> =>
  service.ok('POST', '/payments', {
    paymentMethodToken: token,
    orderId: 'order-1',
    currencyCode: 'EUR',
    amount: 1000,
    ...more,
  })

export async function settledPayment(service: Service, token = 'tok_visa'): Promise<string> {
  const id = textAt(await createPayment(service, token), 'id')
  await service.ok('POST', `/payments/${id}/capture`)
  return id
}
