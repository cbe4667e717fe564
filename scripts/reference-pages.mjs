/**
 * A reference page in Markdown for each command, made from the output of `pay commands -o json`, so that help, page and man page
 * agree. Pure: takes the JSON and returns texts by file name.
 */

const RISKS = {
  read: 'reads',
  write: 'changes data, moves no money',
  money: '**moves money or points**',
  destructive: '**removes for good**',
}

export function referencePages({ data, globalFlags }) {
  const pages = data.map((command) => [`${fileOf(command.command)}.md`, commandPage(command)])
  return new Map([['README.md', indexPage(data, globalFlags)], ...pages])
}

/** `payment-refund` for `payment refund`. */
export const fileOf = (command) => command.replaceAll(' ', '-')

function indexPage(commands, globalFlags) {
  return page([
    '# Commands',
    'One page for each command, written by `npm run docs` from the command specs. Programs get the same from `pay commands -o json`.',
    table(
      ['command', 'what it does', 'risk', 'on a live profile'],
      commands.map(({ command, summary, risk, confirmsOnLive }) => [
        `[pay ${command}](${fileOf(command)}.md)`,
        plain(summary),
        RISKS[risk],
        confirmsOnLive ? 'asks first' : '',
      ]),
    ),
    '## Options of every command',
    'They go before or after the command. A flag wins over the environment, the environment over the profile.',
    flagTable(globalFlags),
  ])
}

function commandPage(command) {
  const { operation, examples, exitCodes, related } = command
  const own = command.flags
  const asks = command.confirmsOnLive ? ' On a live profile it asks first; a script needs `--yes`.' : ''
  const service =
    operation === undefined
      ? []
      : [
          `Calls \`${operation.method} ${operation.path}\` (\`pay schema ${operation.id}\`). The key needs the scope \`${operation.scope}\`.${operation.takesIdempotencyKey ? ' Takes an idempotency key: `--once`, `--idempotency-key`.' : ''}${operation.beta ? ' Beta.' : ''}`,
        ]
  return page([
    `# pay ${command.command}`,
    `${plain(command.summary)}.`,
    block('text', [command.usage]),
    ...(command.aliases === undefined
      ? []
      : [`Also: ${command.aliases.map((name) => `\`pay ${name}\``).join(', ')}.`]),
    `**Risk:** ${RISKS[command.risk]}. ${plain(command.effect)}${asks}`,
    '## Examples',
    block(
      'sh',
      examples.flatMap(({ says, line }) => [`# ${says}`, line]),
    ),
    ...(command.details === undefined ? [] : detailsOf(command.details)),
    ...titled(
      '## Arguments',
      command.arguments.length === 0
        ? ''
        : table(
            ['argument', 'what it is'],
            command.arguments.map((argument) => [
              `\`${argument.required ? argument.name : `[${argument.name}]`}\``,
              `${plain(argument.help)}${valuesOf(argument)}`,
            ]),
          ),
    ),
    ...titled('## Options', own.length === 0 ? '' : flagTable(own)),
    'It also takes the [options of every command](README.md#options-of-every-command).',
    '## Exit codes',
    table(
      ['code', 'meaning'],
      exitCodes.map(({ code, meaning }) => [String(code), plain(meaning)]),
    ),
    'Details: [exit codes](../exit-codes.md).',
    ...service,
    ...(related.length === 0
      ? []
      : [`See also: ${related.map((name) => `[pay ${name}](${fileOf(name)}.md)`).join(' · ')}`]),
  ])
}

/** Columns and indented lines stay as they are. */
function detailsOf(details) {
  const isSet =
    details.split('\n').filter((line) => /\S {2,}\S/.test(line) || line.startsWith('  ')).length > 1
  return isSet ? [block('text', details.split('\n'))] : details.split(/\n+/).map(plain)
}

function flagTable(flags) {
  const hasFields = flags.some(({ field, query }) => field !== undefined || query !== undefined)
  const hasEnvironment = flags.some(({ environment }) => environment !== undefined)
  return table(
    ['option', 'what it is', ...(hasFields ? ['field'] : []), ...(hasEnvironment ? ['environment'] : [])],
    flags.map((flag) => [
      flagNames(flag)
        .map((name) => `\`${name}\``)
        .join(', '),
      `${flag.required ? '**Required.** ' : ''}${plain(flag.help)}${valuesOf(flag)}`,
      ...(hasFields ? [fieldOf(flag)] : []),
      ...(hasEnvironment ? [(flag.environment ?? []).map((name) => `\`${name}\``).join(', ')] : []),
    ]),
  )
}

const fieldOf = ({ field, query }) =>
  field === undefined ? (query === undefined ? '' : `\`?${query}\``) : `\`${field}\``

export function flagNames({ flag, short, negation, value }) {
  const withValue = value === undefined ? flag : `${flag} ${value}`
  return [...(short === undefined ? [] : [short]), withValue, ...(negation === undefined ? [] : [negation])]
}

/** Values that the help doesn't name already. */
export function unmentionedValues({ help, values = [], knownValues = [] }) {
  const all = values.length > 0 ? values : knownValues
  return all.every((value) => help.includes(value)) ? [] : all
}

function valuesOf(described) {
  const unmentioned = unmentionedValues(described)
  if (unmentioned.length === 0) return ''
  const lead = described.values === undefined ? 'Such as' : 'One of'
  return `. ${lead} ${unmentioned.map((value) => `\`${value}\``).join(', ')}`
}

const titled = (title, body) => (body === '' ? [] : [title, body])

const block = (language, lines) => ['```' + language, ...lines, '```'].join('\n')

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n')

/** Escapes Markdown. */
const plain = (text) => text.replaceAll(/[<*_[\]]/g, String.raw`\$&`)

const page = (parts) => `${parts.join('\n\n')}\n`
