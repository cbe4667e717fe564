import { Command, CommanderError, Option } from 'commander'
import { UsageError } from '../errors.ts'
import { closest } from '../suggest.ts'
import { BODY_FLAGS, GLOBAL_FLAGS } from './globals.ts'
import type { GlobalFlag } from './globals.ts'
import { flagNames, takesBody } from './input.ts'
import type { CommandInput, FlagValue } from './input.ts'
import type { CommandSpec, FlagSpec } from './spec.ts'

interface FlagForm {
  readonly flags: string
  readonly help: string
  readonly repeats: boolean
}

/** Reads the words after noun and verb. Nothing is abbreviated; a flag given twice is refused unless it repeats. */
export function readStrictly(spec: CommandSpec, words: readonly string[]): CommandInput {
  const command = new Command(spec.path.join(' '))
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false)
    .allowExcessArguments(false)
  const args = spec.args ?? []
  for (const argument of args) command.argument(`[${argument.name}]`)
  for (const form of formsOf(spec)) command.addOption(optionOf(form))
  refuseContradictions(spec, words)
  try {
    command.parse([...words], { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? usageErrorOf(error, spec) : error
  }
  const options: Record<string, unknown> = command.opts()
  const given: Record<string, string> = {}
  for (const [index, argument] of args.entries()) {
    const value = command.args[index]
    if (value !== undefined) given[argument.name] = value
  }
  const flags = command.options.flatMap((option) => readOption(option, options[option.attributeName()]))
  return { args: given, flags: Object.fromEntries(flags) }
}

function formsOf(spec: CommandSpec): readonly FlagForm[] {
  const own = Object.entries(spec.flags ?? {}).flatMap(([name, flag]) => ownForms(name, flag))
  const body = takesBody(spec)
    ? Object.entries(BODY_FLAGS).map(([name, flag]) => globalForm(name, flag, name === 'set'))
    : []
  const taken = new Set(Object.keys(spec.flags ?? {}))
  const globals: readonly (readonly [string, GlobalFlag])[] = Object.entries(GLOBAL_FLAGS)
  return [
    ...own,
    ...body,
    ...globals.filter(([name]) => !taken.has(name)).map(([name, flag]) => globalForm(name, flag, false)),
  ]
}

function ownForms(name: string, flag: FlagSpec): readonly FlagForm[] {
  switch (flag.kind) {
    case 'switch':
      return [{ flags: `--${name}`, help: flag.help, repeats: false }]
    case 'either':
      return [
        { flags: `--${name}`, help: flag.help, repeats: false },
        { flags: `--no-${name}`, help: '', repeats: false },
      ]
    case 'pairs':
    case 'objects':
    case 'texts':
    case 'unset':
      return [{ flags: `--${name} <value>`, help: flag.help, repeats: true }]
    case 'text':
    case 'object':
    case 'amount':
    case 'currency':
    case 'count':
    case 'datetime':
      return [{ flags: `--${name} <value>`, help: flag.help, repeats: false }]
  }
}

function globalForm(
  name: string,
  flag: { short?: string; value?: string; help: string },
  repeats: boolean,
): FlagForm {
  const short = flag.short === undefined ? '' : `-${flag.short}, `
  return { flags: `${short}--${name}${flag.value === undefined ? '' : ' <value>'}`, help: flag.help, repeats }
}

function optionOf(form: FlagForm): Option {
  const option = new Option(form.flags, form.help)
  if (!option.required) return option
  return option.argParser((value: string, before: readonly string[] | string | undefined) => {
    if (form.repeats) return [...(typeof before === 'object' ? before : []), value]
    if (before !== undefined) {
      throw new UsageError(`--${option.name()} is given twice`, {
        code: 'given_twice',
        hint: 'Say it once: two values for one thing are never guessed between',
      })
    }
    return value
  })
}

/** Commander keeps `--no-x` as `x: false` and everything in camelCase; here the names are as typed. */
function readOption(option: Option, value: unknown): readonly (readonly [string, FlagValue])[] {
  const name = option.negate ? option.name().replace(/^no-/, '') : option.name()
  if (value === false) return [[name, false]]
  if (typeof value === 'string' || value === true) return [[name, value]]
  return Array.isArray(value) ? [[name, value.filter((entry) => typeof entry === 'string')]] : []
}

function refuseContradictions(spec: CommandSpec, words: readonly string[]): void {
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    if (flag.kind === 'either' && words.includes(`--${name}`) && words.includes(`--no-${name}`)) {
      throw new UsageError(`--${name} and --no-${name} contradict each other`, { code: 'given_twice' })
    }
  }
}

function usageErrorOf(error: CommanderError, spec: CommandSpec): UsageError {
  const help = `${['pay', ...spec.path].join(' ').trimEnd()} --help`
  const unknown = /unknown option '(-{1,2}[^'=]*)/.exec(error.message)?.[1]
  if (unknown !== undefined) {
    if (flagNames(spec).includes(unknown.replace(/^-+/, '')))
      return new UsageError(`${unknown} takes no value`, { code: 'bad_value', next: [help] })
    const argument = spec.args?.[0]
    // A token may begin with a hyphen: it is not repeated, and there is a way to give it.
    if (argument !== undefined && !unknown.startsWith('--') && unknown.length > 2) {
      const typed = argument.secret === true ? 'what was typed' : unknown
      return new UsageError(`There is no such flag as ${typed}`, {
        code: 'unknown_flag',
        hint: `If it is the ${argument.name}, put it last, behind --`,
        next: [help],
      })
    }
    const suggestion = closest(unknown.replace(/^-+/, ''), flagNames(spec))
    return new UsageError(`There is no flag ${unknown}`, {
      code: 'unknown_flag',
      hint: suggestion === undefined ? undefined : `Did you mean --${suggestion}?`,
      next: [help],
    })
  }
  const message = error.message.replace(/^error: /, '').replace(/\s*<value>/, '')
  return new UsageError(message.charAt(0).toUpperCase() + message.slice(1), {
    code: 'usage',
    next: [help],
  })
}
