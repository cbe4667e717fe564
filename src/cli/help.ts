import { effectOf, usageOf } from './describe-command.ts'
import { EXIT_WORDS, asksOnLive, exitCodesOf } from './exit-words.ts'
import { BODY_FLAGS, GLOBAL_FLAGS } from './globals.ts'
import type { GlobalFlag } from './globals.ts'
import { USUAL_WIDTH, indented, linesOf, section, twoColumns, wrap } from './help-layout.ts'
import { takesBody } from './input.ts'
import type { CommandSpec, FlagSpec, Noun, Tree } from './spec.ts'

export interface HelpOptions {
  readonly width?: number
  /** `-h`: what is needed to type the line. `--help` is the whole page. */
  readonly isShort?: boolean
}

/** The first page: what there is, in the words of the tree alone, so that it costs nothing to show. */
export function renderRootHelp(
  tree: Tree,
  version: string,
  { width = USUAL_WIDTH, isShort = false }: HelpOptions = {},
): string {
  if (isShort) return firstPage(tree, version, width)
  const nouns = Object.entries(tree).filter(([, noun]) => noun.verbs !== undefined)
  const single = Object.entries(tree).filter(([, noun]) => noun.load !== undefined)
  return linesOf([
    `pay ${version}: run payments from a terminal`,
    '',
    'Usage: pay <noun> <verb> [ARG] [options]',
    '',
    ...wrap('Start here (no account, no network, no real money):', width),
    '  # the whole life of a payment, step by step',
    '  pay smoke --sandbox',
    '  pay --sandbox payment create --token tok_visa --amount "10.00 EUR" --order-id A-1',
    '',
    'Nouns:',
    ...twoColumns(
      nouns.map(([name, noun]) => [
        nounName(name, noun),
        `${noun.summary}: ${Object.keys(noun.verbs ?? {}).join(', ')}`,
      ]),
      width,
    ),
    '',
    'Commands:',
    ...twoColumns(
      single.map(([name, noun]) => [name, noun.summary]),
      width,
    ),
    ...section(
      'Options (before or after the command):',
      flagRows(['account', 'safety', 'output', 'request', 'other'], width),
    ),
    '',
    ...wrap(LIVE, width),
    ...wrap('More: pay <noun> --help, pay <noun> <verb> --help, pay help exit-codes', width),
  ])
}

const nounName = (name: string, { alias }: Noun): string => (alias === undefined ? name : `${name}, ${alias}`)

const LIVE = 'Live profiles: what moves money or destroys asks first; a script needs --yes.'

/** `pay` and `pay -h`: with the line that follows it, a terminal of 24 lines shows all of it. */
function firstPage(tree: Tree, version: string, width: number): string {
  const nouns = Object.entries(tree).filter(([, noun]) => noun.verbs !== undefined)
  const single = Object.keys(tree).filter((name) => tree[name]?.load !== undefined)
  return linesOf([
    `pay ${version}: run payments from a terminal`,
    '',
    ...wrap('Try it (no account, no network, no real money):', width),
    '  pay smoke --sandbox',
    '  pay --sandbox payment create --token tok_visa --amount "10.00 EUR" --order-id A-1',
    '',
    'Usage: pay <noun> <verb> [ARG] [options]',
    '',
    ...twoColumns(
      nouns.map(([name, noun]) => [nounName(name, noun), noun.summary]),
      width,
    ),
    '',
    ...wrap(`Commands without a noun: ${single.join(', ')}`, width),
    '',
    ...wrap(LIVE, width),
    ...wrap('More: pay --help (every verb and option), pay <noun> -h, pay <noun> <verb> -h', width),
  ])
}

/** One noun: its verbs with their summaries. */
export async function renderNounHelp(
  name: string,
  noun: Noun,
  { width = USUAL_WIDTH }: HelpOptions = {},
): Promise<string> {
  const verbs = await Promise.all(
    Object.entries(noun.verbs ?? {}).map(
      async ([verb, load]) => [verb, (await load()).command.summary] as const,
    ),
  )
  return linesOf([
    ...wrap(noun.summary, width),
    '',
    `Usage: pay ${name} <verb> [ARG] [options]`,
    ...(noun.alias === undefined ? [] : [`       pay ${noun.alias} <verb> [ARG] [options]`]),
    ...section('Verbs:', twoColumns(verbs, width)),
    '',
    `More: pay ${name} <verb> --help`,
  ])
}

/** How many examples `-h` shows. */
const FIRST_EXAMPLES = 2

export function renderCommandHelp(
  spec: CommandSpec,
  { width = USUAL_WIDTH, isShort = false }: HelpOptions = {},
): string {
  const name = `pay ${spec.path.join(' ')}`
  const args = spec.args ?? []
  const flags = Object.entries(spec.flags ?? {})
  const examples = isShort ? spec.examples.slice(0, FIRST_EXAMPLES) : spec.examples
  const own = [
    ...section(
      'Arguments:',
      twoColumns(
        args.map((argument) => [argument.name, argument.help]),
        width,
      ),
    ),
    ...section(
      'Options:',
      twoColumns(
        flags.map(([flag, form]) => [flagName(flag, form), form.help]),
        width,
      ),
    ),
  ]
  const head = [
    ...wrap(spec.summary, width),
    '',
    `Usage: ${usageOf(spec)}`,
    '',
    'Examples:',
    ...examples.flatMap((example) => [`  # ${example.says}`, `  ${example.line}`]),
  ]
  if (isShort) {
    const body = takesBody(spec) ? ' --data and --set take a body.' : ''
    const asks = asksOnLive(spec) ? ' Asks first on a live profile.' : ''
    return linesOf([...head, ...own, '', ...wrap(`More: ${name} --help.${body}${asks}`, width)])
  }
  const except = Object.keys(spec.flags ?? {})
  return linesOf([
    ...head,
    ...section('', spec.details === undefined ? [] : wrap(spec.details, width)),
    ...own,
    ...section(
      'Request body:',
      takesBody(spec) ? twoColumns(Object.entries(BODY_FLAGS).map(globalRow), width) : [],
    ),
    ...section('Safety:', indented(safetyOf(spec), width)),
    ...section(
      'Exit codes:',
      twoColumns(
        exitCodesOf(spec).map((code) => [String(code), EXIT_WORDS[code]]),
        width,
      ),
    ),
    ...GROUPS.flatMap(([title, group]) => section(title, flagRows([group], width, except))),
    ...section(
      'Related:',
      indented((spec.related ?? []).map((other) => `pay ${other}`).join(', '), width).filter(
        (line) => line.trim() !== '',
      ),
    ),
  ])
}

const GROUPS = [
  ['Account (with every command):', 'account'],
  ['Safety options:', 'safety'],
  ['Output:', 'output'],
  ['Request:', 'request'],
] as const satisfies readonly (readonly [string, GlobalFlag['group']])[]

/** What it does to money and data, whether that can be undone, and whether it asks. */
export function safetyOf(spec: CommandSpec): string {
  const asks = asksOnLive(spec) ? ' On a live profile it asks first; a script needs --yes.' : ''
  return `${effectOf(spec)}${asks}`
}

export function flagName(name: string, flag: FlagSpec): string {
  switch (flag.kind) {
    case 'switch':
      return `--${name}`
    case 'either':
      return `--${name}, --no-${name}`
    default:
      return `--${name} ${flag.value ?? 'VALUE'}`
  }
}

function flagRows(
  groups: readonly GlobalFlag['group'][],
  width: number,
  except: readonly string[] = [],
): readonly string[] {
  const flags: readonly (readonly [string, GlobalFlag])[] = Object.entries(GLOBAL_FLAGS)
  return twoColumns(
    groups.flatMap((group) =>
      flags.filter(([name, flag]) => flag.group === group && !except.includes(name)).map(globalRow),
    ),
    width,
  )
}

function globalRow([name, flag]: readonly [
  string,
  { short?: string; value?: string; environment?: string; help: string },
]): readonly [string, string] {
  const short = flag.short === undefined ? '' : `-${flag.short}, `
  const value = flag.value === undefined ? '' : ` ${flag.value}`
  return [
    `${short}--${name}${value}`,
    flag.environment === undefined ? flag.help : `${flag.help} [${flag.environment}]`,
  ]
}
