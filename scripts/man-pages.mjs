import { fileOf, flagNames, unmentionedValues } from './reference-pages.mjs'

/** The reference pages as man pages, in man(7) macros, which man-db, mandoc and groff all read. Pure. */
export function manPages({ data, globalFlags }) {
  const pages = data.map((command) => [`pay-${fileOf(command.command)}.1`, commandPage(command, globalFlags)])
  return new Map([['pay.1', firstPage(data, globalFlags)], ...pages])
}

function firstPage(commands, globalFlags) {
  return page('pay', 'run payments from a terminal', [
    '.SH SYNOPSIS',
    '.B pay',
    roff('<noun> <verb> [ARG] [options]'),
    '.SH DESCRIPTION',
    roff(
      'Client sessions, payments, refunds, records of payments made elsewhere, loyalty points and saved payment methods, with a built-in payment service to try them on (--sandbox). Each command has its own page.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(({ command, summary }) => item(`pay-${fileOf(command)}(1)`, [summary])),
    '.SH OPTIONS OF EVERY COMMAND',
    ...globalFlags.flatMap(flagItem),
    '.SH SAFETY',
    roff('On a live profile, commands that move money or destroy data ask first; a script needs --yes.'),
    '.SH SEE ALSO',
    roff('pay help money, pay help exit-codes, pay help environment, pay help idempotency, pay help ledger'),
  ])
}

function commandPage(command, globalFlags) {
  const { usage, details, examples, exitCodes, related, confirmsOnLive } = command
  const asks = confirmsOnLive ? ' On a live profile it asks first; a script needs --yes.' : ''
  return page(`pay ${command.command}`, command.summary, [
    '.SH SYNOPSIS',
    `.B ${roff(`pay ${command.command}`)}`,
    roff(usage.slice(`pay ${command.command}`.length).trim()),
    '.SH DESCRIPTION',
    roff(`${command.summary}.`),
    ...(details === undefined ? [] : ['.PP', ...detailsOf(details)]),
    '.SH SAFETY',
    roff(`${command.effect}${asks}`),
    ...titled(
      '.SH ARGUMENTS',
      command.arguments.flatMap((argument) => item(argument.name, [wordsOf(argument)])),
    ),
    ...titled('.SH OPTIONS', command.flags.flatMap(flagItem)),
    '.SH OPTIONS OF EVERY COMMAND',
    roff(`${globalFlags.map(({ flag }) => flag).join(', ')}: see pay(1).`),
    '.SH EXAMPLES',
    ...examples.flatMap(({ says, line }, index) => [
      ...(index === 0 ? [] : ['.PP']),
      roff(`${says}:`),
      '.PP',
      '.nf',
      '.RS 4',
      roff(line),
      '.RE',
      '.fi',
    ]),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(({ code, meaning }) => item(String(code), [meaning])),
    '.SH SEE ALSO',
    roff([...related.map((name) => `pay-${fileOf(name)}(1)`), 'pay(1)'].join(', ')),
  ])
}

/** Columns and indented lines stay as they are. */
function detailsOf(details) {
  const lines = details.split('\n')
  const isSet = lines.filter((line) => /\S {2,}\S/.test(line) || line.startsWith('  ')).length > 1
  if (isSet) return ['.nf', ...lines.map((line) => (line === '' ? '.sp' : roff(line))), '.fi']
  return details
    .split(/\n+/)
    .flatMap((paragraph, index) => [...(index === 0 ? [] : ['.PP']), roff(paragraph)])
}

const flagItem = (flag) =>
  item(flagNames(flag).join(', '), [
    `${flag.required ? 'Required. ' : ''}${wordsOf(flag)}${flag.environment === undefined ? '' : ` [${flag.environment.join(', ')}]`}`,
  ])

function wordsOf(described) {
  const unmentioned = unmentionedValues(described)
  if (unmentioned.length === 0) return described.help
  return `${described.help}. ${described.values === undefined ? 'Such as' : 'One of'} ${unmentioned.join(', ')}`
}

const item = (name, lines) => ['.TP', `.B ${roff(name)}`, ...lines.map(roff)]

const titled = (title, lines) => (lines.length === 0 ? [] : [title, ...lines])

const page = (name, summary, lines) =>
  `${[
    String.raw`.\" Written by npm run docs from the command specs. Don't edit.`,
    `.TH ${roff(fileOf(name).toUpperCase())} 1 "" "payctl" "User Commands"`,
    '.SH NAME',
    `${roff(fileOf(name))} ${String.raw`\-`} ${roff(summary)}`,
    ...lines,
  ].join('\n')}\n`

/** Escapes text for roff: hyphens that can be copied, backslashes, and dots or quotes at the start of a line. */
const roff = (text) =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll('~', String.raw`\(ti`)
    .replaceAll('^', String.raw`\(ha`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll('`', String.raw`\(ga`)
    .replaceAll('…', String.raw`\&...`)
    .replaceAll(/^[.]/g, String.raw`\&.`)
