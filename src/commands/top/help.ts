import { helpPage } from '../../cli/help/help.ts'
import type { Context } from '../../cli/command/context.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import { commandsForVerb, commandsSpelledLike, quotedCommands } from '../../cli/parse/nearest-commands.ts'
import { readLine } from '../../cli/parse/program.ts'
import { scanLine } from '../../cli/parse/scan-line.ts'
import type { CommandSpec, Tree } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { closest } from '../../text/suggest.ts'
import { allCommands } from './commands.ts'
import { HELP_TOPICS } from './help-topics.ts'
import { wrapWords } from '../../output/wrap.ts'

const AGENTS = 'agents'
const TOPICS: readonly string[] = [...Object.keys(HELP_TOPICS), AGENTS]

export const command: CommandSpec = {
  path: ['help'],
  summary: 'Show help on a command or a topic',
  details: `Topics: ${TOPICS.join(', ')}.`,
  examples: [
    { purpose: 'show help on a command', line: 'pay help payment refund' },
    { purpose: 'list the topics', line: 'pay help topics' },
    { purpose: 'look up the exit codes', line: 'pay help exit-codes' },
  ],
  args: [
    {
      name: 'TOPIC',
      optional: true,
      suggestions: ['topics', ...TOPICS],
      from: 'noun',
      help: 'A topic, or a command',
    },
    { name: 'VERB', optional: true, help: "The command's verb" },
  ],
  run: async ({ context }, input, tree) => {
    const help = await page(tree, input, context)
    return resultOf(
      { help },
      textView(() => help.trimEnd()),
    )
  },
  related: ['commands', 'schema'],
}

/** The page of `pay help agents`, which loads every command. */
async function agentsText(tree: Tree): Promise<string> {
  const { agentsTopic } = await import('./agents-topic.ts')
  const codes = (HELP_TOPICS['exit-codes'] ?? '').split('\n').filter((line) => /^ {2}\d/.test(line))
  return agentsTopic(await allCommands(tree), codes.join('\n'))
}

async function page(tree: Tree, { args }: CommandInput, context: Context): Promise<string> {
  const { TOPIC: topic, VERB: verb } = args
  if (topic === undefined) return pageOf(tree, [], context)
  if (verb !== undefined) return pageOf(tree, [topic, verb], context)
  if (topic === 'topics') return topicList()
  const text = topic === AGENTS ? await agentsText(tree) : HELP_TOPICS[topic]
  if (text !== undefined && TOPICS.includes(topic)) return fitTopic(text, context.stdout.columns)
  return isNoun(tree, topic) ? pageOf(tree, [topic], context) : verbPage(tree, topic, context)
}

/** Each topic with the first line of its page. */
const topicList = (): string =>
  [
    'Topics',
    '',
    ...Object.entries(HELP_TOPICS).map(([name, text]) => `  ${name.padEnd(14)}${text.split('\n')[0] ?? ''}`),
    `  ${AGENTS.padEnd(14)}Agents and other programs that decide by themselves`,
    '',
    'pay help TOPIC shows one. pay --help lists the commands.',
  ].join('\n')

async function pageOf(tree: Tree, words: readonly string[], context: Context): Promise<string> {
  const line = await readLine(tree, scanLine(['--help', '--', ...words]))
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
  const meant = commandsForVerb(word, tree)
  const names = [...TOPICS, ...Object.keys(tree)]
  const closestName = names.find((name) => name.startsWith(`${word}-`)) ?? closest(word, names)
  const pages =
    meant.length > 0 ? meant : closestName === undefined ? commandsSpelledLike(word, tree) : [closestName]
  return new UsageError(`No help on "${word}"`, {
    code: 'unknown_command',
    hint:
      pages.length === 0
        ? `Topics: ${TOPICS.join(', ')}. pay --help lists the commands.`
        : `Did you mean ${quotedCommands(pages, 'pay help')}?`,
  })
}

/** The width in a pipe. */
const MOST_COLUMNS = 100
const BELOW = ' '.repeat(6)

/** Wraps the prose of a topic, and the words next to a term below themselves. */
function fitTopic(text: string, columns = MOST_COLUMNS): string {
  const width = Math.min(MOST_COLUMNS, columns)
  const lines = text.split('\n').flatMap((line) => {
    const [term = ''] = /^ {2}\S(?: ?[^ ])* {2,}(?=\S)/.exec(line) ?? []
    if (term === '') return wrapWords(line, width)
    const isBeside = term.length <= width / 2
    const indent = isBeside ? ' '.repeat(term.length) : BELOW
    const words = wrapWords(line.slice(term.length), width - indent.length).map((part) => indent + part)
    return isBeside ? [term + words.join('\n').slice(term.length)] : [term.trimEnd(), ...words]
  })
  return lines.join('\n')
}
