import { UsageError } from '../../errors.ts'
import { oneOf } from '../one-of.ts'

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
  const next = [`pay ${command} --help`]
  const chosen = typed ?? otherwise
  if (chosen !== undefined) return oneOf(command, chosen, actions, { next })
  throw new UsageError(`Missing: ACTION, one of ${actions.join(', ')}`, { code: 'missing_input', next })
}
