import { BODY_FLAGS, GLOBAL_FLAGS } from './globals.ts'
import type { GlobalFlag } from './globals.ts'
import { takesBody } from './input.ts'
import type { ArgumentSpec, CommandSpec, FlagSpec, Noun, Tree } from './spec.ts'

const WIDTH = 80

/** The first page: what there is, in the words of the tree alone, so that it costs nothing to show. */
export function renderRootHelp(tree: Tree, version: string): string {
  const nouns = Object.entries(tree).filter(([, noun]) => noun.verbs !== undefined)
  const single = Object.entries(tree).filter(([, noun]) => noun.load !== undefined)
  return lines([
    `pay ${version}: run payments from a terminal`,
    '',
    'Usage: pay <noun> <verb> [ARG] [options]',
    '',
    'Start here (no account, no network, no real money):',
    '  pay smoke --sandbox                    the whole life of a payment, step by step',
    '  pay --sandbox payment create --token tok_visa --amount "10.00 EUR" --order-id A-1',
    '',
    'Nouns:',
    ...table(
      nouns.map(([name, noun]) => [
        name + (noun.alias === undefined ? '' : `, ${noun.alias}`),
        `${noun.summary}: ${Object.keys(noun.verbs ?? {}).join(', ')}`,
      ]),
    ),
    '',
    'Commands:',
    ...table(single.map(([name, noun]) => [name, noun.summary])),
    '',
    'Options (before or after the command):',
    ...flagRows(['account', 'safety', 'output', 'request', 'other']),
    '',
    'Live profiles: what moves money or destroys asks first; a script needs --yes.',
    'More: pay <noun> --help, pay <noun> <verb> --help, pay help exit-codes',
  ])
}

/** One noun: its verbs with their summaries. */
export async function renderNounHelp(name: string, noun: Noun): Promise<string> {
  const verbs = await Promise.all(
    Object.entries(noun.verbs ?? {}).map(
      async ([verb, load]) => [verb, (await load()).command.summary] as const,
    ),
  )
  return lines([
    noun.summary,
    '',
    `Usage: pay ${name} <verb> [ARG] [options]`,
    '',
    'Verbs:',
    ...table(verbs),
    '',
    `More: pay ${name} <verb> --help`,
  ])
}

/** One command, whole. */
export function renderCommandHelp(spec: CommandSpec): string {
  const name = `pay ${spec.path.join(' ')}`
  const args = spec.args ?? []
  const flags = Object.entries(spec.flags ?? {})
  return lines([
    spec.summary,
    '',
    `Usage: ${[name, ...args.map(argumentName), '[options]'].join(' ')}`,
    '',
    'Examples:',
    ...spec.examples.flatMap((example) => [`  # ${example.says}`, `  ${example.line}`]),
    ...section('', spec.details === undefined ? [] : wrap(spec.details, WIDTH)),
    ...section('Arguments:', table(args.map((argument) => [argument.name, argument.help]))),
    ...section('Options:', table(flags.map(([flag, form]) => [flagName(flag, form), form.help]))),
    ...section('Request body:', takesBody(spec) ? table(Object.entries(BODY_FLAGS).map(globalRow)) : []),
    ...section('Safety:', safetyOf(spec)),
    ...section(
      'Global options:',
      flagRows(['account', 'safety', 'output', 'request'], Object.keys(spec.flags ?? {})),
    ),
  ])
}

function argumentName({ name, optional, foundBy }: ArgumentSpec): string {
  const either = foundBy === undefined ? name : `(${name} | --${foundBy.flag} …)`
  return optional === true ? `[${name}]` : either
}

function safetyOf(spec: CommandSpec): readonly string[] {
  switch (spec.operation?.risk) {
    case 'money':
      return ['  Moves money or points. On a live profile it asks first; a script needs --yes.']
    case 'destructive':
      return ['  Cannot be undone. On a live profile it asks first; a script needs --yes.']
    default:
      return []
  }
}

function flagName(name: string, flag: FlagSpec): string {
  switch (flag.kind) {
    case 'switch':
      return `--${name}`
    case 'either':
      return `--${name}, --no-${name}`
    default:
      return `--${name} ${flag.value ?? 'VALUE'}`
  }
}

function flagRows(groups: readonly GlobalFlag['group'][], except: readonly string[] = []): readonly string[] {
  const flags: readonly (readonly [string, GlobalFlag])[] = Object.entries(GLOBAL_FLAGS)
  return table(
    groups.flatMap((group) =>
      flags.filter(([name, flag]) => flag.group === group && !except.includes(name)).map(globalRow),
    ),
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

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const column = Math.min(Math.max(0, ...rows.map(([name]) => name.length)), 30) + 4
  return rows.flatMap(([name, words]) => {
    const head = `  ${name}`.padEnd(column)
    const [first = '', ...rest] = wrap(words, WIDTH - column)
    const isLong = head.length > column
    return [
      ...(isLong ? [head, `${' '.repeat(column)}${first}`] : [`${head}${first}`]),
      ...rest.map((line) => `${' '.repeat(column)}${line}`),
    ].map((line) => line.trimEnd())
  })
}

function wrap(text: string, width: number): readonly string[] {
  const wrapped: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        wrapped.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    wrapped.push(line)
  }
  return wrapped
}

const section = (title: string, body: readonly string[]): readonly string[] =>
  body.length === 0 ? [] : ['', ...(title === '' ? [] : [title]), ...body]

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
