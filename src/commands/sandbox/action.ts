import { UsageError } from '../../errors.ts'
import { closest } from '../../suggest.ts'

/** The ACTION of a command that has several, one of them perhaps meant when none is named. */
export function readAction<Action extends string>(
  typed: string | undefined,
  {
    command,
    actions,
    otherwise,
  }: {
    readonly command: string
    readonly actions: readonly Action[]
    readonly otherwise?: Action
  },
): Action {
  const action = typed === undefined ? otherwise : actions.find((known) => known === typed)
  if (action !== undefined) return action
  const help = [`pay ${command} --help`]
  if (typed === undefined)
    throw new UsageError(`Missing: ACTION, one of ${actions.join(', ')}`, {
      code: 'missing_input',
      next: help,
    })
  const suggestion = closest(typed, actions)
  throw new UsageError(`${command} takes ${actions.join(', ')}, not "${typed}"`, {
    code: 'bad_value',
    hint: suggestion === undefined ? undefined : `Did you mean ${suggestion}?`,
    next: help,
  })
}
