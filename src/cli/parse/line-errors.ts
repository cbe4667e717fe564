import { UsageError } from '../../errors.ts'
import { meantBy } from '../../text/suggest.ts'
import { GLOBAL_FLAGS, flagNames } from './command-flags.ts'
import { splitOnce } from './scan-line.ts'
import {
  commandsForVerb,
  commandsForWord,
  commandsSpelledLike,
  quotedCommands,
  verbFor,
} from './nearest-commands.ts'
import type { CommandSpec, Noun, Tree } from '../command/spec.ts'

/** The errors of a command line that cannot be parsed. */

const helpOf = (spec: CommandSpec | undefined): string => ['pay', ...(spec?.path ?? []), '--help'].join(' ')

/** For an unknown flag before the command. The word after it is probably its value and may be a secret: never repeat it. */
export function unknownGlobalFlag(typed: string, isFollowed: boolean): UsageError {
  const [flag] = splitOnce(typed, '=')
  const names = Object.keys(GLOBAL_FLAGS)
  if (names.includes(nameOf(flag))) return takesNoValue(flag, undefined)
  const suggestion = suggestFlag(flag, names)
  if (!isFlagLike(flag)) return unknownWord(undefined, suggestion ?? afterDashes('a value'), undefined)
  const grammar = 'Options of a command come after its name: pay <noun> <verb> [ARG] [options]'
  return new UsageError(`There is no ${isFollowed ? 'global ' : ''}flag ${flag}`, {
    code: 'unknown_flag',
    hint: suggestion ?? (isFollowed ? grammar : undefined),
    next: [helpOf(undefined)],
  })
}

export function unknownFlag(typed: string, spec: CommandSpec): UsageError {
  const [flag] = splitOnce(typed, '=')
  const names = flagNames(spec)
  if (names.includes(nameOf(flag))) return takesNoValue(flag, spec)
  if (isNegative(flag) && spec.args?.some(({ name }) => name === 'DURATION') === true)
    return new UsageError(`A duration must be positive, not ${flag}`, {
      code: 'bad_duration',
      hint: spec.effect,
      next: [helpOf(spec)],
    })
  const argument = spec.args?.[0]
  // A token may begin with a hyphen: do not repeat it, and say how to give it.
  if (argument !== undefined && !flag.startsWith('--') && flag.length > 2)
    return unknownWord(argument.secret === true ? undefined : flag, afterDashes(`the ${argument.name}`), spec)
  return new UsageError(`There is no flag ${flag}`, {
    code: 'unknown_flag',
    hint: suggestFlag(flag, names),
    next: [helpOf(spec)],
  })
}

const isNegative = (word: string): boolean => /^-\d/.test(word)

const afterDashes = (what: string): string => `If it is ${what}, put it last, after --`

/** `shown` is undefined for a word that may be a secret. */
const unknownWord = (shown: string | undefined, hint: string, spec: CommandSpec | undefined): UsageError =>
  new UsageError(
    shown === undefined ? 'A word looks like a flag but is not one' : `There is no flag ${shown}`,
    {
      code: 'unknown_flag',
      hint,
      next: [helpOf(spec)],
    },
  )

const nameOf = (flag: string): string => flag.replace(/^-+/, '')

/** Whether a word is surely a flag. Others may be a token that begins with a hyphen, or a flag joined to its value. */
const isFlagLike = (flag: string): boolean => /^(?:-.{1,2}|--[\w-]{1,40})$/.test(flag)

function suggestFlag(flag: string, names: readonly string[]): string | undefined {
  const near = meantBy(nameOf(flag), names)
  if (near !== undefined) return `Did you mean --${near}?`
  // Other tools take it; a command line is visible to every process of the machine.
  return nameOf(flag) === 'api-key'
    ? 'Never put the key on the command line: set PAY_API_KEY or PAY_API_KEY_FILE, or store it in a profile.'
    : undefined
}

const takesNoValue = (flag: string, spec: CommandSpec | undefined): UsageError =>
  new UsageError(`${flag} takes no value`, { code: 'bad_value', next: [helpOf(spec)] })

export const missingValue = (flags: readonly string[], spec: CommandSpec | undefined): UsageError =>
  new UsageError(`${flags.join(', ')} needs a value`, { code: 'usage', next: [helpOf(spec)] })

export const excessArguments = (expected: number, given: number, spec: CommandSpec | undefined): UsageError =>
  new UsageError(`Too many arguments: expected ${expected}, got ${given}`, {
    code: 'usage',
    next: [helpOf(spec)],
  })

export const givenTwice = (name: string): UsageError =>
  new UsageError(`--${name} is given twice`, {
    code: 'given_twice',
    hint: 'Give it only once: pay does not choose between two values.',
  })

export const contradiction = (name: string): UsageError =>
  new UsageError(`--${name} and --no-${name} contradict each other`, { code: 'given_twice' })

export function unknownNoun(tree: Tree, word: string): UsageError {
  const leads = commandsForWord(word, tree)
  const suggestion = leads.length > 0 ? leads : commandsForVerb(word, tree)
  const near = meantBy(word, Object.keys(tree))
  const commands =
    suggestion.length > 0 ? suggestion : near === undefined ? commandsSpelledLike(word, tree) : [near]
  return unknownCommand(`pay ${word}`, commands, 'pay')
}

export function unknownVerb(tree: Tree, name: string, noun: Noun, word: string): UsageError {
  const own = verbFor(word, noun)
  const commands = own === undefined ? commandsForVerb(word, tree) : [`${name} ${own}`]
  return unknownCommand(`pay ${name} ${word}`, commands, `pay ${name}`)
}

function unknownCommand(typed: string, suggestion: readonly string[], prefix: string): UsageError {
  return new UsageError(`There is no command "${typed}"`, {
    code: 'unknown_command',
    hint:
      suggestion.length === 0
        ? `${prefix} --help lists the commands.`
        : `Did you mean ${quotedCommands(suggestion)}?`,
    next:
      suggestion.length === 0 ? [`${prefix} --help`] : suggestion.map((command) => `pay ${command} --help`),
  })
}
