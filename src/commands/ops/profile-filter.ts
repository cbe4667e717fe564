import { SANDBOX } from '../../config/profile.ts'
import { UsageError } from '../../errors.ts'

/** Only what is typed now: the profile that is in use hides none of what was sent with others. */
export function profileFilter(profile: string | undefined, isSandbox: boolean): string | undefined {
  if (isSandbox && profile !== undefined && profile !== SANDBOX)
    throw new UsageError('--sandbox and --profile name two accounts', { code: 'account_conflict' })
  return isSandbox ? SANDBOX : profile
}
