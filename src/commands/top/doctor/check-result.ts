import { PayError } from '../../../errors.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'

type Remedy = Pick<CheckResult, 'remedy' | 'next'>

export const ok = (check: string, message: string): CheckResult => ({ check, status: 'ok', says: message })
export const warning = (check: string, message: string, remedy: Remedy = {}): CheckResult => ({
  check,
  status: 'warning',
  says: message,
  ...remedy,
})
export const problem = (check: string, message: string, remedy: Remedy = {}): CheckResult => ({
  check,
  status: 'problem',
  says: message,
  ...remedy,
})

/** A check that threw, with the remedy of its error. Rethrows anything but a `PayError`. */
export function failed(check: string, error: unknown): CheckResult {
  if (!(error instanceof PayError)) throw error
  const { hint, next } = error.details
  return problem(check, error.message, { remedy: hint, next: next?.filter((line) => line !== 'pay doctor') })
}
