import { findCommand } from '../../cli/find-command.ts'
import { renderCommandHelp, renderNounHelp, renderRootHelp } from '../../cli/help.ts'
import type { HelpOptions } from '../../cli/help.ts'
import { fitted, helpWidth } from '../../cli/help-layout.ts'
import type { CommandInput } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { resultOf, textView } from '../../cli/result.ts'
import { commandsMeant, commandsNear, quotedCommands } from '../../cli/nearest-commands.ts'
import type { CommandSpec, Tree } from '../../cli/spec.ts'
import { UsageError } from '../../errors.ts'
import { closest } from '../../suggest.ts'
import { HELP_TOPICS } from './help-topics.ts'

export const command: CommandSpec = {
  path: ['help'],
  summary: 'Help on a command or a topic',
  details: `Topics: ${Object.keys(HELP_TOPICS).join(', ')}.`,
  examples: [
    { says: 'a command', line: 'pay help payment refund' },
    { says: 'what the exit codes mean', line: 'pay help exit-codes' },
  ],
  args: [
    {
      name: 'TOPIC',
      optional: true,
      known: Object.keys(HELP_TOPICS),
      from: 'noun',
      help: 'A topic, or a command',
    },
    { name: 'VERB', optional: true, help: 'The verb of a command' },
  ],
  run: async (invocation: Invocation, input: CommandInput) => {
    const help = await page(invocation, input)
    return resultOf(
      { help },
      textView(() => help.trimEnd()),
    )
  },
  related: ['commands', 'schema'],
}

async function page({ tree, context }: Invocation, { args }: CommandInput): Promise<string> {
  const options = { width: helpWidth(context.stdout.columns) }
  const { TOPIC: topic, VERB: verb } = args
  if (topic === undefined) return renderRootHelp(tree, context.version, options)
  if (verb === undefined && Object.hasOwn(HELP_TOPICS, topic))
    return topicPage(HELP_TOPICS[topic] ?? '', context.stdout.columns)
  if (verb === undefined && !knows(tree, topic)) return verbPage(tree, topic, options)
  const found = await findCommand(tree, verb === undefined ? [topic, '--help'] : [topic, verb, '--help'])
  switch (found.kind) {
    case 'noun':
      return renderNounHelp(found.name, found.noun, options)
    case 'command':
    case 'verb-help':
      return renderCommandHelp(found.command, options)
    case 'root':
      return renderRootHelp(tree, context.version, options)
  }
}

/** `pay help refund`: the page of the command that has this verb, and the names of others that have it too. */
async function verbPage(tree: Tree, word: string, options: HelpOptions): Promise<string> {
  const [first, ...others] = commandsMeant(word, tree)
  if (first === undefined || !isVerb(tree, word)) throw unknownTopic(tree, word)
  const found = await findCommand(tree, [...first.split(' '), '--help'])
  if (found.kind !== 'verb-help') throw unknownTopic(tree, word)
  const also = others.map((other) => `pay help ${other}`)
  const text = renderCommandHelp(found.command, options)
  return also.length === 0 ? text : `${text}\nOther commands of this name: ${also.join(', ')}\n`
}

const isVerb = (tree: Tree, word: string): boolean =>
  Object.values(tree).some(({ verbs = {} }) => Object.hasOwn(verbs, word))

/** In a pipe it is as it was written. */
const topicPage = (text: string, columns: number | undefined): string =>
  columns === undefined ? text : fitted(text, helpWidth(columns))

const knows = (tree: Tree, word: string): boolean =>
  Object.entries(tree).some(([name, noun]) => name === word || noun.alias === word)

function unknownTopic(tree: Tree, word: string): UsageError {
  const topics = Object.keys(HELP_TOPICS)
  const meant = commandsMeant(word, tree)
  const near = closest(word, [...topics, ...Object.keys(tree)])
  const pages = meant.length > 0 ? meant : near === undefined ? commandsNear(word, tree) : [near]
  return new UsageError(`There is no help on "${word}"`, {
    code: 'unknown_command',
    hint:
      pages.length === 0
        ? `Topics: ${topics.join(', ')}. pay --help lists the commands.`
        : `Did you mean ${quotedCommands(pages, 'pay help')}?`,
  })
}
