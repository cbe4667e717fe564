import { effectOf, EXIT_MEANINGS, asksOnLive, exitCodesOf } from './describe-command.ts'
import type { GlobalFlag } from '../parse/command-flags.ts'
import { takesBody } from '../parse/command-flags.ts'
import { PayCommand } from '../parse/program.ts'
import { wrapWords } from '../../output/wrap.ts'
import type { CommandSpec } from '../command/spec.ts'
import { existsSync } from 'node:fs'
import { ledgerPath } from '../../client/ledger/ledger-file.ts'
import { earlierSandboxTest } from '../command/sandbox-identity.ts'
import type { Context } from '../command/context.ts'
import { pluralize } from '../../text/words.ts'

/** Help pages, built with commander's Help. Plain text without colours, since people also pipe and paste it. */

interface HelpOptions {
  readonly version: string
  /** The width of the terminal; undefined for a pipe. */
  readonly columns: number | undefined
  /** Whether to show the short page of `-h`: only what you need to type the command. */
  readonly isShort?: boolean
}

/** Commander's Help, with the width of the page. */
type Help = ReturnType<PayCommand['createHelp']>
type Row = readonly [term: string, words: string]

/** Longer lines are hard to read, even on a wide terminal. bin/pay.cjs prints the first page for this width. */
const USUAL_WIDTH = 80
const NARROWEST = 40

/** The help page of the program, a noun or a command. */
export async function helpPage(
  command: PayCommand,
  { version, columns, isShort = false }: HelpOptions,
): Promise<string> {
  if (command.noun?.verbs !== undefined) await command.openAll()
  const width = Math.min(USUAL_WIDTH, Math.max(NARROWEST, columns ?? USUAL_WIDTH))
  return command
    .configureOutput({ getOutHelpWidth: () => width, getOutHasColors: () => false })
    .configureHelp({
      boxWrap: (text, room) => wrapWords(text, room).join('\n'),
      minWidthToWrap: 20,
      subcommandTerm: (named) => [named.name(), ...named.aliases()].join(', '),
      formatHelp: (_, help) => `${linesOf(command, help, version, isShort).join('\n').trimEnd()}\n`,
    })
    .helpInformation()
}

function linesOf(command: PayCommand, help: Help, version: string, isShort: boolean): readonly string[] {
  const { spec, noun } = command
  if (spec !== undefined) return commandPage(command, spec, help, isShort)
  if (noun !== undefined) return nounPage(command, help)
  const head = `pay ${version}: run payments from a terminal`
  const page = isShort ? firstPage(command, help) : rootPage(command, help)
  return [head, '', ...wrapProse(DESK, help), ...page]
}

const USAGE = 'Usage: pay <noun> <verb> [ARG] [options]'
const FIRST_LINES = [
  '  pay smoke --sandbox',
  '  pay --sandbox payment create --token tok_visa --amount "10.00 EUR" --order-id A-1',
]
const DESK = 'At a terminal: pay desk finds a payment, shows its story, and acts on it.'
const LIVE = 'On live profiles, commands that move money ask first; a script needs --yes.'

/** The page of `pay --help`, from the tree alone. */
function rootPage(program: PayCommand, help: Help): readonly string[] {
  const { nouns, single } = listCommands(program, help)
  return [
    USAGE,
    '',
    ...wrapProse('Start here (no account, no network, no real money):', help),
    '  # the whole life cycle of a payment, step by step',
    ...FIRST_LINES,
    '',
    ...list(
      'Nouns:',
      nouns.map(({ term, summary, verbs }) => [term, `${summary}: ${verbs.join(', ')}`]),
      help,
    ),
    ...list(
      'Commands:',
      single.map(({ term, summary }) => [term, summary]),
      help,
    ),
    ...list(
      'Options (before or after the command):',
      optionRows(program, help, ['account', 'safety', 'output', 'request', 'other']),
      help,
    ),
    ...wrapProse(LIVE, help),
    ...wrapProse('More: pay <noun> --help, pay <noun> <verb> --help, pay help exit-codes', help),
  ]
}

/** The page of `pay` and `pay -h`. Together with the shell prompt it fits a terminal of 24 lines. */
function firstPage(program: PayCommand, help: Help): readonly string[] {
  const { nouns, single } = listCommands(program, help)
  return [
    ...wrapProse('Try it (no account, no network, no real money):', help),
    ...FIRST_LINES,
    '',
    USAGE,
    ...formatRows(
      nouns.map(({ term, summary }) => [term, summary]),
      help,
    ),
    ...wrapProse(`Commands without a noun: ${single.map(({ term }) => term).join(', ')}`, help),
    '',
    ...wrapProse(LIVE, help),
    ...wrapProse('More: pay --help (every verb and option), pay <noun> -h, pay <noun> <verb> -h', help),
  ]
}

/** The nouns, and the commands without a noun. */
function listCommands(program: PayCommand, help: Help) {
  const all = help.visibleCommands(program).map((command) => ({
    term: help.subcommandTerm(command),
    summary: help.subcommandDescription(command),
    verbs: command instanceof PayCommand ? Object.keys(command.noun?.verbs ?? {}) : [],
  }))
  return {
    nouns: all.filter(({ verbs }) => verbs.length > 0),
    single: all.filter(({ verbs }) => verbs.length === 0),
  }
}

/** The page of a noun: its verbs with their summaries. */
function nounPage(noun: PayCommand, help: Help): readonly string[] {
  const names = [noun.name(), ...noun.aliases()]
  return [
    ...wrapProse(noun.summary(), help),
    '',
    ...names.map((name, index) => `${index === 0 ? 'Usage:' : '      '} pay ${name} <verb> [ARG] [options]`),
    '',
    ...list(
      'Verbs:',
      help.visibleCommands(noun).map((verb) => [verb.name(), help.subcommandDescription(verb)]),
      help,
    ),
    `More: pay ${noun.name()} <verb> --help`,
  ]
}

/** How many examples `-h` shows. */
const FIRST_EXAMPLES = 2

function commandPage(
  command: PayCommand,
  spec: CommandSpec,
  help: Help,
  isShort: boolean,
): readonly string[] {
  const head = [
    ...wrapProse(spec.summary, help),
    '',
    `Usage: ${help.commandUsage(command)}`,
    '',
    'Examples:',
    ...spec.examples
      .slice(0, isShort ? FIRST_EXAMPLES : undefined)
      .flatMap(({ purpose, line }) => [`  # ${purpose}`, `  ${line}`]),
    '',
  ]
  const args = list(
    'Arguments:',
    help
      .visibleArguments(command)
      .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)]),
    help,
  )
  const options = list('Options:', optionRows(command, help, [undefined]), help)
  if (isShort) {
    const body = takesBody(spec) ? ' --data and --set give the body.' : ''
    const asks = asksOnLive(spec) ? ' Asks first on a live profile.' : ''
    const more = `More: pay ${spec.path.join(' ')} --help.${body}${asks}`
    return [...head, ...args, ...options, ...wrapProse(more, help)]
  }
  return [
    ...head,
    ...(spec.details === undefined ? [] : [...wrapProse(spec.details, help), '']),
    ...args,
    ...options,
    ...list('Request body:', optionRows(command, help, ['body']), help),
    ...help.formatItemList('Safety:', indentProse(safetyOf(spec), help), help),
    ...list(
      'Exit codes:',
      exitCodesOf(spec).map((code) => [String(code), EXIT_MEANINGS[code]]),
      help,
    ),
    ...GLOBAL_GROUPS.flatMap(([title, group]) => list(title, optionRows(command, help, [group]), help)),
    ...(spec.related === undefined
      ? []
      : ['Related:', ...indentProse(spec.related.map((other) => `pay ${other}`).join(', '), help)]),
  ]
}

const GLOBAL_GROUPS = [
  ['Account (with every command):', 'account'],
  ['Safety options:', 'safety'],
  ['Output:', 'output'],
  ['Request:', 'request'],
] as const satisfies readonly (readonly [string, GlobalFlag['group']])[]

/** What the command does to money and data, whether you can undo that, and whether it asks first. */
function safetyOf(spec: CommandSpec): string {
  const asks = asksOnLive(spec) ? ' On a live profile, it asks first; a script needs --yes.' : ''
  return `${effectOf(spec)}${asks}`
}

/** The options of these groups, in order. The command's own options have no group. */
function optionRows(
  command: PayCommand,
  help: Help,
  groups: readonly (GlobalFlag['group'] | 'body' | undefined)[],
): readonly Row[] {
  const options = help.visibleOptions(command)
  return groups.flatMap((group) =>
    options
      .filter((option) => option.helpGroupHeading === group)
      .map((option): Row => [help.optionTerm(option), help.optionDescription(option)]),
  )
}

const list = (title: string, rows: readonly Row[], help: Help): readonly string[] =>
  help.formatItemList(title, formatRows(rows, help), help)

/** Formats terms and their descriptions in two columns. A term too long for its column gets its own line. */
function formatRows(rows: readonly Row[], help: Help): string[] {
  const widest = Math.floor(widthOf(help) / 2.6)
  const width = Math.min(widest, Math.max(0, ...rows.map(([term]) => help.displayWidth(term))))
  return rows.flatMap(([term, description]) =>
    help.displayWidth(term) > width
      ? [`  ${term}`, help.formatItem('', width, description, help)]
      : [help.formatItem(term, width, description, help)],
  )
}

const wrapProse = (text: string, help: Help): readonly string[] => wrapWords(text, widthOf(help))

const indentProse = (text: string, help: Help): string[] =>
  wrapWords(text, widthOf(help) - 2).map((line) => `  ${line}`)

const widthOf = (help: Help): number => help.helpWidth ?? USUAL_WIDTH

/** The line about writes of this machine that are in doubt, which `pay` alone shows. Opens nothing if there is no ledger. */
export async function describeDoubt(context: Context): Promise<string> {
  try {
    if (!existsSync(ledgerPath(context.stateFolder))) return ''
    const { records } = await (await context.ledger(undefined)).list({ states: ['in-doubt'] })
    if (records.length === 0) return ''
    const isEarlier = await earlierSandboxTest(context)
    const { length: count } = records.filter((record) => !isEarlier(record))
    if (count === 0) return ''
    const what = `${pluralize(count, 'write of this machine is', 'writes of this machine are')} in doubt`
    return `${what}: pay desk, then Ctrl-T, or pay ops resolve --all\n\n`
  } catch {
    // Help must work with a damaged ledger too. The next write says so.
    return ''
  }
}
