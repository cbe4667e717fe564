import { PayError } from '../../../errors.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'

type Cure = Pick<CheckResult, 'remedy' | 'next'>

export const ok = (check: string, says: string): CheckResult => ({ check, status: 'ok', says })
export const warning = (check: string, says: string, cure: Cure = {}): CheckResult => ({
  check,
  status: 'warning',
  says,
  ...cure,
})
export const problem = (check: string, says: string, cure: Cure = {}): CheckResult => ({
  check,
  status: 'problem',
  says,
  ...cure,
})

/** What went wrong, with the remedy that the error itself names. */
export function failed(check: string, error: unknown): CheckResult {
  if (!(error instanceof PayError)) throw error
  const { hint, next } = error.details
  return problem(check, error.message, { remedy: hint, next })
}
