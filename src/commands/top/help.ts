import { helpPage, layOut, wrapProse, formatRows } from '../../cli/help/help.ts'
import type { Context } from '../../cli/command/context.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import { commandsForVerb, commandsSpelledLike, quotedCommands } from '../../cli/parse/nearest-commands.ts'
import { readLine, createProgram } from '../../cli/parse/program.ts'
import type { CommandSpec, Tree } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { closest } from '../../suggest.ts'
import { HELP_TOPICS } from './help-topics.ts'
import type { Help } from '../../cli/help/help.ts'

export const command: CommandSpec = {
  path: ['help'],
  summary: 'Show help on a command or a topic',
  details: `Topics: ${Object.keys(HELP_TOPICS).join(', ')}.`,
  examples: [
    { purpose: 'show help on a command', line: 'pay help payment refund' },
    { purpose: 'look up the exit codes', line: 'pay help exit-codes' },
  ],
  args: [
    {
      name: 'TOPIC',
      optional: true,
      suggestions: Object.keys(HELP_TOPICS),
      from: 'noun',
      help: 'A topic, or a command',
    },
    { name: 'VERB', optional: true, help: "The command's verb" },
  ],
  run: async ({ context }: Invocation, input: CommandInput, tree: Tree) => {
    const help = await page(tree, input, context)
    return resultOf(
      { help },
      textView(() => help.trimEnd()),
    )
  },
  related: ['commands', 'schema'],
}

async function page(tree: Tree, { args }: CommandInput, context: Context): Promise<string> {
  const { TOPIC: topic, VERB: verb } = args
  if (topic === undefined) return pageOf(tree, [], context)
  if (verb !== undefined) return pageOf(tree, [topic, verb], context)
  if (Object.hasOwn(HELP_TOPICS, topic)) return topicPage(HELP_TOPICS[topic] ?? '', context.stdout.columns)
  return isNoun(tree, topic) ? pageOf(tree, [topic], context) : verbPage(tree, topic, context)
}

async function pageOf(tree: Tree, words: readonly string[], context: Context): Promise<string> {
  const line = await readLine(tree, ['--help', '--', ...words])
  if (line.kind !== 'help') throw new Error('--help did not parse as a request for help')
  return helpPage(line.page, { version: context.version, columns: context.stdout.columns })
}

/** `pay help refund`: the page of the first command with this verb, and the names of the others. */
async function verbPage(tree: Tree, word: string, context: Context): Promise<string> {
  const [first, ...others] = commandsForVerb(word, tree)
  if (first === undefined || !isVerb(tree, word)) throw unknownTopic(tree, word)
  const text = await pageOf(tree, first.split(' '), context)
  const also = others.map((other) => `pay help ${other}`)
  return also.length === 0 ? text : `${text}\nOther commands with this name: ${also.join(', ')}\n`
}

const isVerb = (tree: Tree, word: string): boolean =>
  Object.values(tree).some(({ verbs = {} }) => Object.hasOwn(verbs, word))

const isNoun = (tree: Tree, word: string): boolean =>
  Object.entries(tree).some(([name, noun]) => name === word || noun.alias === word)

function unknownTopic(tree: Tree, word: string): UsageError {
  const topics = Object.keys(HELP_TOPICS)
  const meant = commandsForVerb(word, tree)
  const closestName = closest(word, [...topics, ...Object.keys(tree)])
  const pages =
    meant.length > 0 ? meant : closestName === undefined ? commandsSpelledLike(word, tree) : [closestName]
  return new UsageError(`No help on "${word}"`, {
    code: 'unknown_command',
    hint:
      pages.length === 0
        ? `Topics: ${topics.join(', ')}. pay --help lists the commands.`
        : `Did you mean ${quotedCommands(pages, 'pay help')}?`,
  })
}

/**
 * Fits a topic to the width of a terminal: wraps its paragraphs and lays out its two-column lists again. Indented lines
 * with one column, such as commands, stay as they are. In a pipe, so does the whole topic.
 */
const topicPage = (text: string, columns: number | undefined): string =>
  columns === undefined ? text : layOut(createProgram({}, true), columns, (help) => fitToWidth(text, help))

function fitToWidth(text: string, help: Help): readonly string[] {
  const shown: string[] = []
  let paragraph: string[] = []
  let rows: (readonly [string, string])[] = []
  const flush = (): void => {
    if (paragraph.length > 0) shown.push(...wrapProse(paragraph.join(' '), help))
    if (rows.length > 0) shown.push(...formatRows(rows, help))
    paragraph = []
    rows = []
  }
  for (const line of text.trimEnd().split('\n')) {
    const [, name, description] = /^ {2}(\S(?: ?[^ ])*) {2,}(\S.*)$/.exec(line) ?? []
    const continuation = /^ {8,}(\S.*)$/.exec(line)?.[1]
    const last = rows.at(-1)
    if (name !== undefined && description !== undefined) {
      if (rows.length === 0) flush()
      rows.push([name, description])
    } else if (continuation !== undefined && last !== undefined)
      rows[rows.length - 1] = [last[0], `${last[1]} ${continuation}`]
    else if (continuation !== undefined && shown.at(-1)?.startsWith('  ') === true)
      // The line before is a command that leaves no room for its description, which follows here.
      rows.push([shown.pop()?.trim() ?? '', continuation])
    else if (line === '' || line.startsWith('  ')) {
      flush()
      shown.push(line)
    } else {
      if (rows.length > 0) flush()
      paragraph.push(line)
    }
  }
  flush()
  return shown
}
