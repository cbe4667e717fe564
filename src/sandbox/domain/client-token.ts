import { createHmac, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../../json/is-record.ts'

/** The claims in a client token, which is a JWT signed with the folder's secret. */
interface ClientTokenClaims {
  readonly id: string
  readonly expiresAtMs: number
  /** The pending payment, in the client token of a required action. */
  readonly paymentId?: string | undefined
}

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

export function writeClientToken(secret: string, claims: ClientTokenClaims): string {
  const payload = encode({
    exp: Math.ceil(claims.expiresAtMs / 1000),
    clientToken: claims.id,
    expiresAtMs: claims.expiresAtMs,
    paymentId: claims.paymentId,
  })
  return `${HEADER}.${payload}.${sign(secret, `${HEADER}.${payload}`)}`
}

/** Reads a token; undefined if this sandbox didn't sign it. Doesn't check whether it has expired. */
export function readClientToken(secret: string, token: string): ClientTokenClaims | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  if (header === undefined || payload === undefined || rest.length > 0) return undefined
  if (!isEqual(sign(secret, `${header}.${payload}`), signature ?? '')) return undefined
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  if (!isRecord(claims)) return undefined
  const { clientToken, expiresAtMs, paymentId } = claims
  if (typeof clientToken !== 'string' || typeof expiresAtMs !== 'number') return undefined
  return { id: clientToken, expiresAtMs, paymentId: typeof paymentId === 'string' ? paymentId : undefined }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

/** Compares texts in the same time, no matter where they differ. */
function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
