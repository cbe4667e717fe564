import { textFlag } from './input.ts'
import type { Invocation } from './invocation.ts'

/** The flags that selected the account of this run, for suggested commands: ` --profile shop`. */
export function accountFlagsOf({ input }: Pick<Invocation, 'input'>): string {
  const sandbox = input.flags['sandbox'] === true ? ' --sandbox' : ''
  const named = (['profile', 'base-url', 'api-version'] as const).flatMap((flag) => {
    const value = textFlag(input, flag)
    return value === undefined ? [] : [` --${flag} ${value}`]
  })
  return `${sandbox}${named.join('')}`
}
