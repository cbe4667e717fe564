import { Command, Option } from 'commander'
import type { ErrorOptions } from 'commander'
import { allFlags, isRepeatable, takesValue, usageOf } from './command-flags.ts'
import type { AnyFlag } from './command-flags.ts'
import type { CommandInput, FlagValue } from '../command/input.ts'
import * as refused from './line-errors.ts'
import type { ScannedLine } from './scan-line.ts'
import type { CommandSpec, Noun, Tree } from '../command/spec.ts'

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
  /** Its entry in the tree; undefined for the program itself. */
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
      ? refused.unknownGlobalFlag(typed, this.args.length > 1)
      : refused.unknownFlag(typed, this.spec)
  }

  unknownCommand(): never {
    const [word = ''] = this.args
    const { tree } = this.shared
    throw this.noun === undefined
      ? refused.unknownNoun(tree, word)
      : refused.unknownVerb(tree, this.name(), this.noun, word)
  }

  optionMissingArgument({ short, long }: Option): never {
    throw refused.missingValue(
      [short, long].filter((flag) => flag !== undefined),
      this.spec,
    )
  }

  override error(message: string, options?: ErrorOptions): never {
    if (options?.code === 'commander.excessArguments')
      throw refused.excessArguments(this.registeredArguments.length, this.args.length, this.spec)
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
      if (before === !isOn) throw refused.contradiction(name)
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
      if (before !== undefined) throw refused.givenTwice(name)
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
