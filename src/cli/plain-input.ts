import { BODY_FLAGS, GLOBAL_FLAGS, splitOnce } from './globals.ts'
import type { GlobalFlag } from './globals.ts'
import { takesBody } from './input.ts'
import type { CommandInput, FlagValue } from './input.ts'
import type { CommandSpec, FlagSpec } from './spec.ts'

interface Form {
  /** Under which the value is kept: `input` for `--no-input`. */
  readonly name: string
  readonly takes: 'value' | 'values' | true | false
}

/**
 * The same as commander for lines without anything odd, and undefined for all others: those it reads, or refuses in its
 * words. Loading and asking it takes 5 of the 60 ms to the first request (docs/decisions/0013).
 */
export function readPlainly(spec: CommandSpec, words: readonly string[]): CommandInput | undefined {
  const forms = formsOf(spec)
  const args: Record<string, string> = {}
  // Commander takes what can only be switched off as on.
  const flags: Record<string, FlagValue> = takesBody(spec) ? { input: true, validate: true } : { input: true }
  const given = new Set<string>()
  let nextArgument = 0
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (!word.startsWith('-')) {
      const argument = spec.args?.[nextArgument]
      if (argument === undefined) return undefined
      args[argument.name] = word
      nextArgument += 1
      continue
    }
    const [token, inline] = word.startsWith('--') ? splitOnce(word, '=') : [word, undefined]
    const form = forms.get(token)
    if (form === undefined) return undefined
    const { name, takes } = form
    if (given.has(name) && takes !== 'values') return undefined
    given.add(name)
    if (typeof takes === 'boolean') {
      if (inline !== undefined) return undefined
      flags[name] = takes
      continue
    }
    let value = inline
    if (value === undefined) {
      index += 1
      value = words[index]
      // One that begins with a hyphen may be a value, or the next flag after a value that was forgotten.
      if (value === undefined || value.startsWith('-')) return undefined
    }
    const before = flags[name]
    flags[name] = takes === 'value' ? value : [...(typeof before === 'object' ? before : []), value]
  }
  return { args, flags }
}

function formsOf(spec: CommandSpec): ReadonlyMap<string, Form> {
  const forms = new Map<string, Form>()
  const own = Object.entries(spec.flags ?? {})
  for (const [name, flag] of own) addOwn(forms, name, flag)
  if (takesBody(spec)) for (const [name, flag] of Object.entries(BODY_FLAGS)) add(forms, name, flag)
  const globals: readonly (readonly [string, GlobalFlag])[] = Object.entries(GLOBAL_FLAGS)
  for (const [name, flag] of globals) if (spec.flags?.[name] === undefined) add(forms, name, flag)
  return forms
}

function addOwn(forms: Map<string, Form>, name: string, { kind }: FlagSpec): void {
  switch (kind) {
    case 'either':
      forms.set(`--no-${name}`, { name, takes: false })
      forms.set(`--${name}`, { name, takes: true })
      return
    case 'switch':
      forms.set(`--${name}`, { name, takes: true })
      return
    case 'pairs':
    case 'objects':
    case 'texts':
    case 'unset':
      forms.set(`--${name}`, { name, takes: 'values' })
      return
    case 'text':
    case 'object':
    case 'amount':
    case 'currency':
    case 'count':
    case 'datetime':
      forms.set(`--${name}`, { name, takes: 'value' })
  }
}

function add(
  forms: Map<string, Form>,
  name: string,
  flag: { short?: string; value?: string; help: string },
): void {
  const off = /^no-(.*)/.exec(name)?.[1]
  const takes = flag.value === undefined ? off === undefined : name === 'set' ? 'values' : 'value'
  const form: Form = { name: off ?? name, takes }
  forms.set(`--${name}`, form)
  if (flag.short !== undefined) forms.set(`-${flag.short}`, form)
}
