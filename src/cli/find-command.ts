import { UsageError } from '../errors.ts'
import { closest } from '../suggest.ts'
import { GLOBAL_FLAGS, globalFlagOf, splitOnce } from './globals.ts'
import { commandsMeant, commandsNear, quotedCommands, verbMeant } from './nearest-commands.ts'
import type { CommandSpec, Noun, Tree } from './spec.ts'

/** What argv asks for: a command with the rest of its words, or a page of help. */
export type Found =
  | { readonly kind: 'command'; readonly command: CommandSpec; readonly rest: readonly string[] }
  | { readonly kind: 'root' }
  | { readonly kind: 'noun'; readonly name: string; readonly noun: Noun }
  | { readonly kind: 'verb-help'; readonly command: CommandSpec }

/** Finds noun and verb among the words, wherever global options stand. Loads no more than the named command. */
export async function findCommand(tree: Tree, argv: readonly string[]): Promise<Found> {
  const wantsHelp = asksForHelp(argv)
  const [nounAt, verbAt] = commandWords(argv)
  if (nounAt === undefined) return { kind: 'root' }
  const word = argv[nounAt] ?? ''
  if (!isNoun(tree, word)) refuseStrayFlag(argv, nounAt)
  const [name, noun] = findNoun(tree, word)
  if (noun.load !== undefined) {
    const { command } = await noun.load()
    return wantsHelp
      ? { kind: 'verb-help', command }
      : { kind: 'command', command, rest: without(argv, [nounAt]) }
  }
  if (verbAt === undefined) return { kind: 'noun', name, noun }
  const verb = argv[verbAt] ?? ''
  const verbs = noun.verbs ?? {}
  const load = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (load === undefined) refuseStrayFlag(argv, verbAt)
  if (load === undefined) throw unknownVerb(tree, name, noun, verb)
  const { command } = await load()
  return wantsHelp
    ? { kind: 'verb-help', command }
    : { kind: 'command', command, rest: without(argv, [nounAt, verbAt]) }
}

function findNoun(tree: Tree, word: string): readonly [string, Noun] {
  for (const [name, noun] of Object.entries(tree)) {
    if (name === word || noun.alias === word) return [name, noun]
  }
  throw unknownNoun(tree, word)
}

const isNoun = (tree: Tree, word: string): boolean =>
  Object.entries(tree).some(([name, noun]) => name === word || noun.alias === word)

/** The word after a flag that is not a global one is most likely its value, and may be a secret: it is not repeated. */
function refuseStrayFlag(argv: readonly string[], wordAt: number): void {
  const [flag] = splitOnce(argv[wordAt - 1] ?? '', '=')
  if (!flag.startsWith('-') || globalFlagOf(flag) !== undefined || !/^--?[\w-]{1,40}$/.test(flag)) return
  const suggestion = closest(flag.replace(/^-+/, ''), Object.keys(GLOBAL_FLAGS))
  throw new UsageError(`There is no global flag ${flag}`, {
    code: 'unknown_flag',
    hint:
      suggestion === undefined
        ? 'Flags of a command come after its name: pay <noun> <verb> [ARG] [options]'
        : `Did you mean --${suggestion}?`,
    next: ['pay --help'],
  })
}

function unknownNoun(tree: Tree, word: string): UsageError {
  const meant = commandsMeant(word, tree)
  const near = closest(word, Object.keys(tree))
  const commands = meant.length > 0 ? meant : near === undefined ? commandsNear(word, tree) : [near]
  return unknownCommand(`pay ${word}`, commands, 'pay')
}

function unknownVerb(tree: Tree, name: string, noun: Noun, word: string): UsageError {
  const own = verbMeant(word, noun)
  const commands = own === undefined ? commandsMeant(word, tree) : [`${name} ${own}`]
  return unknownCommand(`pay ${name} ${word}`, commands, `pay ${name}`)
}

function unknownCommand(typed: string, meant: readonly string[], prefix: string): UsageError {
  return new UsageError(`There is no command "${typed}"`, {
    code: 'unknown_command',
    hint:
      meant.length === 0 ? `${prefix} --help lists what there is` : `Did you mean ${quotedCommands(meant)}?`,
    next: meant.length === 0 ? [`${prefix} --help`] : meant.map((command) => `pay ${command} --help`),
  })
}

/** Where the first two words stand that are neither options nor their values. */
export function commandWords(argv: readonly string[]): readonly number[] {
  const found: number[] = []
  for (let index = 0; index < argv.length && found.length < 2; index += 1) {
    const token = argv[index] ?? ''
    if (token === '--') break
    if (token.startsWith('-') && token !== '-') {
      if (globalFlagOf(token)?.takesNext === true) index += 1
      continue
    }
    found.push(index)
  }
  return found
}

export function asksForHelp(argv: readonly string[]): boolean {
  return beforeDashes(argv).some((token) => token === '--help' || token === '-h')
}

/** `-h` alone: together with `--help` the whole page is meant. */
export function asksForShortHelp(argv: readonly string[]): boolean {
  const words = beforeDashes(argv)
  return words.includes('-h') && !words.includes('--help')
}

function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

const without = (argv: readonly string[], gone: readonly number[]) =>
  argv.filter((_, index) => !gone.includes(index))
