import { PayError } from '../../../errors.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'

type Remedy = Pick<CheckResult, 'remedy' | 'next'>

export const ok = (check: string, says: string): CheckResult => ({ check, status: 'ok', says })
export const warning = (check: string, says: string, cure: Remedy = {}): CheckResult => ({
  check,
  status: 'warning',
  says,
  ...cure,
})
export const problem = (check: string, says: string, cure: Remedy = {}): CheckResult => ({
  check,
  status: 'problem',
  says,
  ...cure,
})

/** A check that threw, with the remedy of its error. Rethrows anything but a `PayError`. */
export function failed(check: string, error: unknown): CheckResult {
  if (!(error instanceof PayError)) throw error
  const { hint, next } = error.details
  return problem(check, error.message, { remedy: hint, next })
}
