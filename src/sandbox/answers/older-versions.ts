import { isVersion21OrLater } from '../../api/versions.ts'
import { isRecord } from '../../is-record.ts'

/**
 * A response body as a version shows it. Before 2.1, a payment names its vaulted token instead of `isVaulted`, and there is no
 * `isVerified`.
 */
export function showInVersion(version: string, body: unknown): unknown {
  if (isVersion21OrLater(version) || !isRecord(body)) return body
  const { data, paymentMethod, isVerified } = body
  if (Array.isArray(data)) return { ...body, data: data.map((entry) => showInVersion(version, entry)) }
  if (typeof isVerified === 'boolean') return withoutVerification(body)
  if (!isRecord(paymentMethod) || !('isVaulted' in paymentMethod)) return body
  return { ...body, paymentMethod: Object.fromEntries(olderMethod(paymentMethod)) }
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
