import { API_VERSIONS } from '../../api/versions.ts'
import { Problem } from '../problem.ts'
import { isRecord } from '../../is-record.ts'

export type ApiVersion = (typeof API_VERSIONS)[number]

const [OLDER, NEWER] = API_VERSIONS

/** The earliest date that is served. */
const FIRST = '2021-09-08'

/** The version that a request is served as: versions in between as the older one, later ones as 2.1. */
export function readVersion(header: string | undefined): ApiVersion {
  if (header === undefined) return OLDER
  if (header === NEWER || isLater(header)) return NEWER
  if (isDate(header) && header >= FIRST) return OLDER
  throw new Problem(
    'UnsupportedApiVersion',
    `X-Api-Version is ${OLDER}, ${NEWER}, or a later one: up to 2.9, or a date.`,
  )
}

/** Whether a version came after 2.1. What 2.1 does not know is then ignored, not refused. */
export const isLater = (header: string | undefined): boolean =>
  header !== undefined && (/^2\.[2-9]$/.test(header) || (isDate(header) && header > OLDER))

function isDate(text: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** An answer as a version shows it: before 2.1 a payment names its vaulted token in place of `isVaulted`, and there is no `isVerified`. */
export function inVersion(version: ApiVersion, answer: unknown): unknown {
  if (version === '2.1' || !isRecord(answer)) return answer
  const { data, paymentMethod, isVerified } = answer
  if (Array.isArray(data)) return { ...answer, data: data.map((entry) => inVersion(version, entry)) }
  if (typeof isVerified === 'boolean') return withoutVerification(answer)
  if (!isRecord(paymentMethod) || !('isVaulted' in paymentMethod)) return answer
  return { ...answer, paymentMethod: Object.fromEntries(olderMethod(paymentMethod)) }
}

function withoutVerification({ isVerified: _, ...method }: Readonly<Record<string, unknown>>): unknown {
  return method
}

function olderMethod(method: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(method).flatMap(([name, value]) => {
    if (name !== 'isVaulted') return [[name, value]] as const
    return value === true ? ([['vaultedPaymentMethodToken', method['paymentMethodToken']]] as const) : []
  })
}
