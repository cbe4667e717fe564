import { UsageError } from '../../errors.ts'
import { joinChoices } from '../../text/suggest.ts'
import type { ArgumentSpec, ValueSpec } from '../command/flags.ts'
import type { CommandInput } from '../command/input.ts'
import type { CommandRun, CommandSpec } from '../command/spec.ts'

/**
 * The input of a command that isn't a single operation, with its required values: asks for those that are missing.
 * @throws {UsageError} one error for all missing values if questions are not allowed
 */
export async function completeInput(run: CommandRun): Promise<CommandInput> {
  const { spec, input, isInteractive } = run
  refuseEmptyPaths(spec, input)
  if (spec.operation !== undefined) return input
  const args = (spec.args ?? []).filter(
    ({ name, optional }) => optional !== true && input.args[name] === undefined,
  )
  const flags = Object.entries(spec.flags ?? {}).filter(
    ([name, { required }]) => required === true && input.flags[name] === undefined,
  )
  if (args.length + flags.length === 0) return input
  if (!isInteractive)
    throw new UsageError(
      `Missing: ${[...args.map(describe), ...flags.map(([name]) => `--${name}`)].join(', ')}`,
      { code: 'missing_input', next: [`pay ${spec.path.join(' ')} --help`] },
    )
  // Before any question, so that no answer is in vain.
  for (const { name, check } of spec.args ?? []) {
    const typed = input.args[name]
    if (typed !== undefined) check?.(typed, run.context)
  }
  const { askValue } = await import('./ask-missing.ts')
  let { words = [] } = input
  const given: Record<string, string> = {}
  for (const { name, ...argument } of args) {
    const answer = await askValue(run, name, argument)
    given[name] = answer
    if (argument.repeats === true) words = answer.split(/\s+/)
  }
  const answers: Record<string, string> = {}
  for (const [name, flag] of flags) answers[name] = await askValue(run, name, flag)
  return { ...input, args: { ...input.args, ...given }, words, flags: { ...input.flags, ...answers } }
}

/** An empty path would be the current folder. */
function refuseEmptyPaths({ args = [], flags = {} }: CommandSpec, input: CommandInput): void {
  const empty =
    args.find((argument) => isPath(argument) && input.args[argument.name] === '')?.name ??
    Object.keys(flags).find((name) => isPath(flags[name] ?? {}) && input.flags[name] === '')
  if (empty === undefined) return
  const name = Object.hasOwn(flags, empty) ? `--${empty}` : empty
  throw new UsageError(`${name} is empty`, { code: 'bad_value' })
}

const isPath = ({ from }: ValueSpec): boolean => from === 'file' || from === 'folder'

const describe = ({ name, choices }: ArgumentSpec): string =>
  choices === undefined ? name : `${name} (${joinChoices(choices)})`
