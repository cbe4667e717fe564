import { shellWord } from '../../files/shell.ts'
import type { CommandInput } from './input.ts'
import type { Invocation } from './invocation.ts'

/** The flags that select an account. */
export const ACCOUNT_FLAGS = ['sandbox', 'profile', 'base-url', 'api-version'] as const

/** The given flags among `names`, as the words of a command line that repeats them. */
export const flagWords = (
  { flags }: Pick<CommandInput, 'flags'>,
  names: readonly string[],
): readonly string[] =>
  names.flatMap((name) => {
    const value = flags[name]
    if (value === undefined || value === false) return []
    if (value === true) return [`--${name}`]
    return (typeof value === 'object' ? value : [value]).flatMap((text) =>
      // A value that looks like a flag is taken for one.
      text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text],
    )
  })

/** The flags that selected the account of this run, for suggested commands: ` --profile shop`. */
export const accountFlagsOf = ({ input }: Pick<Invocation, 'input'>): string =>
  flagWords(input, ACCOUNT_FLAGS)
    .map((word) => ` ${shellWord(word)}`)
    .join('')
