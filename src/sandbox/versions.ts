import { API_VERSIONS } from '../api/versions.ts'
import { Problem } from './problem.ts'
import { isRecord } from './store/document.ts'

export type ApiVersion = (typeof API_VERSIONS)[number]

export function readVersion(header: string | undefined): ApiVersion {
  if (header === undefined) return API_VERSIONS[0]
  const known = API_VERSIONS.find((version) => version === header)
  if (known !== undefined) return known
  throw new Problem('UnsupportedApiVersion', `X-Api-Version is not one of ${API_VERSIONS.join(', ')}.`)
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
