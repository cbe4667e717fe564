import { createHmac } from 'node:crypto'
import { takesAmount } from '../../api/operation.ts'
import type { Write, Snapshot, Target } from '../ledger/port.ts'
import { isRecord } from '../../json/is-record.ts'
import { stringifyJson } from '../../json/json.ts'
import type { Answer, Call } from './call.ts'
import type { ClientOptions } from './client-port.ts'
import { textAt } from '../../json/fields.ts'
import { sha256 } from '../../files/sha256.ts'

/** Builds the intent that the ledger records before anything is sent. */
export function buildIntent(
  options: Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'profile' | 'mode' | 'apiVersion'>,
  call: Call,
  idempotencyKey: string | undefined,
  before: Snapshot | undefined,
): Write {
  const { operation, body } = call
  return {
    operation: operation.id,
    baseUrl: options.baseUrl,
    apiKeyId: accountOf(options),
    profile: options.profile,
    mode: options.mode,
    apiVersion: options.apiVersion,
    target: targetOf(call),
    amount: call.amount,
    currencyCode: call.currencyCode,
    ...(call.orderId === undefined ? {} : { orderId: call.orderId }),
    ...(call.plan === undefined ? {} : { plan: call.plan }),
    idempotencyKey,
    reason: call.reason,
    fingerprint: fingerprintOf(options, call),
    isRepeatable: operation.replay === 'safe',
    request:
      operation.keepsBody && call.holdsSecrets !== true
        ? { params: call.params, body: body?.text }
        : undefined,
    before,
    ...(call.keySince === undefined ? {} : { keySince: call.keySince }),
  }
}

/**
 * Identifies the account: 32 hexadecimal digits, the same on every machine that uses the same key and base URL. The key
 * can't be recovered from it.
 */
export const accountOf = ({ baseUrl, apiKey }: Pick<ClientOptions, 'baseUrl' | 'apiKey'>): string =>
  sha256(JSON.stringify(['account', baseUrl, apiKey])).slice(0, 32)

/**
 * Equal for two writes that would do the same to their target. For an operation that moves an amount, only the amount
 * counts, so a refund with a reworded reason is still the same refund; otherwise the whole body counts.
 *
 * Normally an HMAC with the API key, so that no one can guess the body from it. For amounts and writes on a payment it is a
 * plain hash, so that two keys of one account yield the same fingerprint. There is nothing to guess in that case: the body is
 * stored anyway, or is a long random token.
 */
function fingerprintOf({ apiKey }: Pick<ClientOptions, 'apiKey'>, call: Call): string {
  const { operation, body } = call
  const content = takesAmount(operation)
    ? ['amount', fieldIn(body?.value, 'amount'), fieldIn(body?.value, 'currencyCode')]
    : ['body', body?.text ?? null]
  // `pay api`: the target has no query, so method and path are part of the fingerprint.
  const route = operation.id === 'api' ? [operation.method, operation.path] : ['', '']
  // Stored records contain this hash, so its input must not change.
  const parts = ['likeness', operation.id, ...route, ...content]
  const isUnkeyed =
    takesAmount(operation) || (targetOf(call)?.kind === 'payment' && call.holdsSecrets !== true)
  return isUnkeyed ? sha256(JSON.stringify(parts)).slice(0, 32) : mac(apiKey, parts)
}

/** The idempotency key of a ticket: the same on every machine and for every API key, different for each operation and target. */
export function ticketKey(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
  call: Pick<Call, 'operation' | 'params' | 'body'>,
  ticket: string,
): string {
  const target = targetOf(call)
  const parts = ['ticket', baseUrl, call.operation.id, target?.kind ?? '', target?.name ?? '', ticket]
  return keyFromHash(sha256(JSON.stringify(parts)).slice(0, 32))
}

/** Formats 32 hexadecimal digits as a UUID (RFC 9562, version 8), because some services accept no other keys. */
export function keyFromHash(hex: string): string {
  const variant = (Number.parseInt(hex.charAt(16), 16) % 4) + 8
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant.toString(16)}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

const mac = (key: string, parts: readonly (string | null)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, 32)

function fieldIn(body: unknown, name: 'amount' | 'currencyCode'): string | null {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const value: unknown = fields.find(([key]) => key === name)?.[1]
  return value === undefined ? null : stringifyJson(value)
}

/** What the ledger keeps about a payment, to tell later whether it has changed. */
export const snapshotOf = ({ text, json }: Answer): Snapshot => ({
  sha256: sha256(text),
  status: textAt(json, 'status'),
  ...figuresOf(json),
})

function figuresOf(json: unknown): Pick<Snapshot, 'captured' | 'refunded'> {
  const processor = isRecord(json) && isRecord(json['processor']) ? json['processor'] : {}
  const { amountCaptured: captured, amountRefunded: refunded } = processor
  return {
    ...(typeof captured === 'number' ? { captured } : {}),
    ...(typeof refunded === 'number' ? { refunded } : {}),
  }
}

/**
 * The resource that a write acts on, from the operation's target rules, or from the path for `pay api`. undefined if no rule
 * applies. Secrets are hashed, so equal secrets still give equal targets.
 */
export function targetOf({
  operation,
  params,
  body,
}: Pick<Call, 'operation' | 'params' | 'body'>): Target | undefined {
  if (operation.id === 'api') return { kind: 'path', name: pathName(operation.path) }
  for (const rule of operation.targets) {
    const values = rule.of.map((name) => params[name] ?? textIn(body?.value, name))
    if (values.some((value) => value === undefined)) continue
    const name = values.join('/')
    return { kind: rule.kind, name: rule.isSecret === true ? hashed(name) : name }
  }
  return undefined
}

const hashed = (text: string): string => `sha256:${sha256(text)}`

/**
 * A path that is not in the table may contain secrets. In most APIs, resource names and IDs alternate (`/payments/ID/refund`),
 * so only short plain words where a resource name belongs are kept; every other segment is hashed.
 */
function pathName(path: string): string {
  const [bare = ''] = path.split('?')
  return bare
    .split('/')
    .map((segment, at) =>
      segment === '' || (at % 2 === 1 && /^[a-z][a-z-]{0,23}$/.test(segment)) ? segment : hashed(segment),
    )
    .join('/')
}

/** A field of the body as text. Numbers count too, since an unchecked body may contain one. */
function textIn(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || !(name in body)) return undefined
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
