import { UsageError } from '../../../errors.ts'
import type { PlanHeader } from '../plan.ts'

/** The time after which a plan that was never begun expires: the payments may have changed since people approved it. */
export const PLAN_LIFETIME_MS = 24 * 60 * 60 * 1000

/**
 * Refuses a plan for another service or account.
 * @throws {UsageError} `plan_foreign`
 */
export function refuseForeign(
  { baseUrl, account, profile }: PlanHeader,
  current: { readonly baseUrl: string; readonly account: string | undefined },
  shown: string,
): void {
  const hint = `Use the account that it was planned with${profile === undefined ? '' : ` (profile ${profile})`}, or plan the input again.`
  if (baseUrl !== current.baseUrl && withoutIdentity(baseUrl) === withoutIdentity(current.baseUrl))
    throw foreign(
      `${shown} was planned for an earlier sandbox, whose payments are gone`,
      'Plan the input again.',
    )
  if (baseUrl !== current.baseUrl)
    throw foreign(`${shown} was planned for ${baseUrl}, not for ${current.baseUrl}`, hint)
  if (current.account !== undefined && account !== current.account)
    throw foreign(`${shown} was planned with another API key, which counts as another account`, hint)
}

/** Removes the fragment, which only the embedded sandbox has. */
const withoutIdentity = (baseUrl: string): string => baseUrl.replace(/#.*/, '')

const foreign = (message: string, hint: string): UsageError =>
  new UsageError(message, { code: 'plan_foreign', outcome: 'none', hint })

/**
 * Refuses a plan that is too old to be begun.
 * @throws {UsageError} `plan_expired`
 */
export function refuseExpired({ createdAt }: PlanHeader, now: Date, shown: string): void {
  if (!isExpired(createdAt, now)) return
  throw new UsageError(`${shown} has expired: it was planned at ${createdAt} and never begun`, {
    code: 'plan_expired',
    outcome: 'none',
    hint: 'A plan expires after 24 hours unless someone has begun to apply it. Plan the input again.',
  })
}

export const isExpired = (createdAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(createdAt) > PLAN_LIFETIME_MS
