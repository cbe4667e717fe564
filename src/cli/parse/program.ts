import { CURRENCY_CODES } from '../../money/currencies.ts'
import { Command, Option } from 'commander'
import type { ErrorOptions } from 'commander'
import { allFlags, isRepeatable, takesValue, usageOf, GLOBAL_FLAGS, flagNames } from './command-flags.ts'
import type { AnyFlag } from './command-flags.ts'
import type { CommandInput, FlagValue } from '../command/input.ts'
import { splitOnce } from './scan-line.ts'
import type { ScannedLine } from './scan-line.ts'
import type { CommandSpec, Noun, Tree } from '../command/spec.ts'
import { UsageError } from '../../errors.ts'
import { meantBy } from '../../text/suggest.ts'
import { oneOf } from './choices.ts'
import {
  commandsForVerb,
  commandsForWord,
  commandsSpelledLike,
  quotedCommands,
  verbFor,
} from './nearest-commands.ts'

/** What a command line asks for. */
type ParsedLine =
  | { readonly kind: 'command'; readonly spec: CommandSpec; readonly input: CommandInput }
  | { readonly kind: 'help'; readonly page: PayCommand; readonly isShort: boolean }
  | { readonly kind: 'version' }

/**
 * Parses a command line with commander. Loads only the named command.
 * @throws {UsageError} which never repeats a secret
 */
export async function readLine(tree: Tree, line: ScannedLine): Promise<ParsedLine> {
  const { words, help } = line
  const program = createProgram(tree, line)
  try {
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof HelpRequest)) throw error
    const { page } = error
    if (help === undefined && page.opts()['version'] === true) return { kind: 'version' }
    return { kind: 'help', page, isShort: help !== 'whole' }
  }
  const { command } = program.shared
  if (command?.spec === undefined) throw new Error('commander ended without a command')
  if (command.opts()['version'] === true) return { kind: 'version' }
  return { kind: 'command', spec: command.spec, input: inputOf(command, command.spec) }
}

/** The state that all commands of a program share. */
interface SharedLine {
  readonly tree: Tree
  readonly line: ScannedLine
  /** The command named on the line, once parsed. */
  command?: PayCommand
}

/** Thrown to end parsing and show the help page of this command. */
class HelpRequest extends Error {
  readonly page: PayCommand
  constructor(page: PayCommand) {
    super('help')
    this.page = page
  }
}

/**
 * A commander Command that throws our errors. Commander calls `unknownOption`, `unknownCommand` and
 * `optionMissingArgument` with what was typed. Its typings omit them, so test/cli/parse/program.test.ts checks that.
 */
export class PayCommand extends Command {
  readonly shared: SharedLine
  /** The entry in the tree; undefined for the program itself. */
  noun: Noun | undefined
  /** The spec of a verb, or of a command without a noun, once it is loaded. */
  spec: CommandSpec | undefined

  constructor(name: string, shared: SharedLine) {
    super(name)
    this.shared = shared
    this.helpOption(false).helpCommand(false)
  }

  override createCommand(name: string): PayCommand {
    return new PayCommand(name, this.shared)
  }

  addNoun(name: string, noun: Noun): void {
    const command = this.command(name).summary(noun.summary)
    command.noun = noun
    if (noun.alias !== undefined) command.alias(noun.alias)
  }

  /** Adds the verbs of a noun, or loads a command and adds its arguments and options. */
  async open(): Promise<void> {
    const { verbs, load } = this.noun ?? {}
    if (load === undefined) {
      this.addFlags()
      for (const [name, loadVerb] of Object.entries(verbs ?? {}))
        this.addNoun(name, { summary: '', load: loadVerb })
      this.hook('preSubcommand', openNamed)
      return
    }
    const { command: spec } = await load()
    this.spec = spec
    this.allowExcessArguments(false).summary(spec.summary).usage(usageOf(spec))
    for (const { name, help, repeats } of spec.args ?? [])
      this.argument(repeats === true ? `[${name}...]` : `[${name}]`, help)
    this.addFlags()
    this.action(() => {
      this.shared.command = this
    })
  }

  /** Adds the flags of its command; without one, those of every command. */
  addFlags(): void {
    const flags = allFlags(this.spec)
    const names = new Set(flags.flatMap(([name, { short }]) => [`--${name}`, `--no-${name}`, `-${short}`]))
    // `--reason --dry-run` is a flag without its value: it must not send a refund.
    const refuseFlag = (typed: string, option: Option): void => {
      const isWord = this.shared.line.words.includes(typed)
      if (isWord && names.has(typed.replace(/=.*$/s, ''))) this.optionMissingArgument(option)
    }
    for (const [name, flag] of flags)
      for (const option of optionsFor(name, flag, refuseFlag))
        this.addOption(flag.group === undefined ? option : option.helpGroup(flag.group))
  }

  /** Opens all subcommands. */
  async openAll(): Promise<void> {
    const own = this.commands.filter((command) => command instanceof PayCommand)
    await Promise.all(own.map((command) => command.open()))
  }

  /** Takes over the global options given before this command's name. */
  inherit(parent: Command): void {
    for (const option of parent.options) {
      const key = option.attributeName()
      if (parent.getOptionValueSource(key) === 'cli')
        this.setOptionValueWithSource(key, parent.getOptionValue(key), 'cli')
    }
  }

  override help(): never {
    throw new HelpRequest(this)
  }

  unknownOption(typed: string): never {
    if (this.shared.line.help !== undefined) this.help()
    throw this.spec === undefined
      ? unknownGlobalFlag(typed, this.args.length > 1)
      : unknownFlag(typed, this.spec)
  }

  unknownCommand(): never {
    const [word = ''] = this.args
    const { tree } = this.shared
    throw this.noun === undefined ? unknownNoun(tree, word) : unknownVerb(tree, this.name(), this.noun, word)
  }

  optionMissingArgument({ short, long }: Option): never {
    throw missingValue(
      [short, long].filter((flag) => flag !== undefined),
      this.spec,
    )
  }

  override error(message: string, options?: ErrorOptions): never {
    if (options?.code === 'commander.excessArguments') throw excessArguments(this.args, this.spec)
    throw new Error(message)
  }
}

/** The program with the nouns of the tree. Verbs and options are added when a noun is named. */
function createProgram(tree: Tree, line: ScannedLine): PayCommand {
  const program = new PayCommand('pay', { tree, line })
  program.enablePositionalOptions().hook('preSubcommand', openNamed)
  program.addFlags()
  for (const [name, noun] of Object.entries(tree)) program.addNoun(name, noun)
  return program
}

async function openNamed(parent: Command, named: Command): Promise<void> {
  if (!(named instanceof PayCommand)) return
  await named.open()
  if (named.spec !== undefined && named.shared.line.help !== undefined) named.help()
  named.inherit(parent)
}

function eitherOptions(name: string, help: string): readonly Option[] {
  const options = [`--${name}`, `--no-${name}`].map((flag, index) => {
    const isOn = index === 0
    return new Option(flag, help).argParser((_, before: boolean | undefined) => {
      if (before === !isOn) throw contradiction(name)
      return isOn
    })
  })
  const [on, off] = options
  if (on !== undefined) on.flags = `--${name}, --no-${name}`
  off?.hideHelp()
  return options
}

function optionsFor(
  name: string,
  { kind, short, value = 'VALUE', environment, help }: AnyFlag,
  refuseFlag: (typed: string, option: Option) => void,
): readonly Option[] {
  if (kind === 'either') return eitherOptions(name, help)
  const flags = short === undefined ? `--${name}` : `-${short}, --${name}`
  const description = environment === undefined ? help : `${help} [${environment}]`
  if (!takesValue(kind)) return [new Option(flags, description)]
  const option = new Option(`${flags} <value>`, description)
  // The form that help shows.
  option.flags = `${flags} ${value}`
  return [
    option.argParser((typed: string, before: readonly string[] | string | undefined) => {
      refuseFlag(typed, option)
      if (isRepeatable(kind)) return [...(typeof before === 'object' ? before : []), typed]
      if (before !== undefined) throw givenTwice(name)
      return typed
    }),
  ]
}

function inputOf(command: PayCommand, spec: CommandSpec): CommandInput {
  const args = (spec.args ?? []).flatMap(({ name }, index) => {
    const value = command.args[index]
    return value === undefined ? [] : [[name, value] as const]
  })
  const flags = command.options.flatMap((option) =>
    valueOf(option, command.getOptionValue(option.attributeName())),
  )
  const words = spec.args?.at(-1)?.repeats === true ? { words: command.args.slice(args.length - 1) } : {}
  return { args: Object.fromEntries(args), ...words, flags: Object.fromEntries(flags) }
}

/** The name and value of an option as typed. Commander stores `--no-x` as `x: false`, and all names in camelCase. */
function valueOf(option: Option, value: unknown): readonly (readonly [string, FlagValue])[] {
  const name = option.negate ? option.name().replace(/^no-/, '') : option.name()
  if (typeof value === 'string' || typeof value === 'boolean') return [[name, value]]
  return Array.isArray(value) ? [[name, value.filter((entry) => typeof entry === 'string')]] : []
}

const helpOf = (spec: CommandSpec | undefined): string => ['pay', ...(spec?.path ?? []), '--help'].join(' ')

/** The error for an unknown flag before the command. The word after it is probably its value and may be a secret: never repeat it. */
function unknownGlobalFlag(typed: string, isFollowed: boolean): UsageError {
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

function unknownFlag(typed: string, spec: CommandSpec): UsageError {
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

/** The error for a word that looks like a flag. `shown` is undefined if the word may be a secret. */
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

const missingValue = (flags: readonly string[], spec: CommandSpec | undefined): UsageError =>
  new UsageError(`${flags.join(', ')} needs a value`, { code: 'usage', next: [helpOf(spec)] })

function excessArguments(given: readonly string[], spec: CommandSpec | undefined): UsageError {
  const { args = [] } = spec ?? {}
  // A verb of another tool, such as `faults remove 1`, explains the words after it.
  args.forEach(({ name, choices = [] }, at) => {
    const typed = given[at] ?? ''
    if (choices.length > 0 && !choices.includes(typed.toUpperCase())) oneOf(name, typed, choices)
  })
  return new UsageError(`Too many arguments: expected ${args.length}, got ${given.length}`, {
    code: 'usage',
    hint: whySoMany(given.slice(args.length), given, spec),
    next: [helpOf(spec)],
  })
}

/** What most likely made one word into several. Repeats nothing that was typed but a short number: it may be a secret. */
function whySoMany(
  excess: readonly string[],
  given: readonly string[],
  spec: CommandSpec | undefined,
): string {
  if (given.some((word) => /^[‐-―−]/.test(word)))
    return 'A word begins with a dash that is no hyphen, as text programs make of --: type -- instead.'
  if (excess.some((word) => CURRENCY_CODES.some((code) => code === word.toUpperCase())))
    return 'Quote an amount with its currency: --amount "5 EUR".'
  const [first = ''] = excess
  if (/^\d{1,9}(?:[.,]\d{1,3})?$/.test(first) && spec !== undefined && flagNames(spec).includes('amount'))
    return `An amount needs its flag: --amount ${first}`
  const names = (spec?.args ?? []).map(({ name }) => name)
  const [flag, ...others] = Object.entries(spec?.flags ?? {}).filter(([, { required }]) => required === true)
  if (names.length === 0 && flag !== undefined && others.length === 0)
    return `It takes a flag instead of an argument: --${flag[0]} ${flag[1].value}`
  const taken = names.length === 0 ? 'no arguments' : `${names.join(' and ')} only`
  return `It takes ${taken}. The value of a flag follows its name, and a value with spaces needs quotes.`
}

const givenTwice = (name: string): UsageError =>
  new UsageError(`--${name} is given twice`, {
    code: 'given_twice',
    hint: 'Give it only once: pay does not choose between two values.',
  })

const contradiction = (name: string): UsageError =>
  new UsageError(`--${name} and --no-${name} contradict each other`, { code: 'given_twice' })

function unknownNoun(tree: Tree, word: string): UsageError {
  const leads = commandsForWord(word, tree)
  const suggestion = leads.length > 0 ? leads : commandsForVerb(word, tree)
  const near = meantBy(word, Object.keys(tree))
  const commands =
    suggestion.length > 0 ? suggestion : near === undefined ? commandsSpelledLike(word, tree) : [near]
  return unknownCommand(`pay ${word}`, commands, 'pay')
}

function unknownVerb(tree: Tree, name: string, noun: Noun, word: string): UsageError {
  const own = verbFor(word, noun)
  const lead = commandsForWord(`${name} ${word}`, tree)
  // Another noun's verb does something else: only a command without a noun is meant as it stands.
  const others = lead.length > 0 ? lead : word in tree && tree[word]?.load !== undefined ? [word] : []
  const commands = own === undefined ? others : [`${name} ${own}`]
  const verbs = Object.keys(noun.verbs ?? {})
  return unknownCommand(`pay ${name} ${word}`, commands, `pay ${name}`, own === undefined ? verbs : [])
}

/** `verbs`: those of the noun, if the word is none of them. */
function unknownCommand(
  typed: string,
  suggestion: readonly string[],
  prefix: string,
  verbs: readonly string[] = [],
): UsageError {
  const has = verbs.length === 0 ? [] : [`${prefix} has ${verbs.join(', ')}.`]
  const meant =
    suggestion.length > 0
      ? [`Did you mean ${quotedCommands(suggestion)}?`]
      : has.length > 0
        ? []
        : [`${prefix} --help lists the commands.`]
  return new UsageError(`There is no command "${typed}"`, {
    code: 'unknown_command',
    hint: [...meant, ...has].join(' '),
    next:
      suggestion.length === 0 ? [`${prefix} --help`] : suggestion.map((command) => `pay ${command} --help`),
  })
}
