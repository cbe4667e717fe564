import { SANDBOX } from '../client/config/profile.ts'
import { EXIT, UsageError } from '../errors.ts'
import { checkPrivateFolder } from '../files/private-folder.ts'
import type { Context, Pager } from './command/context.ts'
import { switchFlag, textFlag } from './command/input.ts'
import type { CommandInput } from './command/input.ts'
import { startInvocation } from './invocation.ts'
import type { StartedRun } from './invocation.ts'
import { refuseConflicts } from './parse/flag-conflicts.ts'
import { runOperation } from './operate.ts'
import { readLine } from './parse/program.ts'
import type { Result } from './command/result.ts'
import { scanLine } from './parse/scan-line.ts'
import { readSettings, isOn } from './parse/settings.ts'
import type { CommandRun, CommandSpec, Tree } from './command/spec.ts'
import { asPayError, reportError, reportNonSuccess, outputFailed } from './report/report-error.ts'
import { joinChoices, meantBy } from '../text/suggest.ts'
import { shellWord } from '../files/shell.ts'
import { accountFlagsOf } from './command/flag-words.ts'
import type { ArgumentSpec, ValueSpec } from './command/flags.ts'
import { isMachine } from './command/settings.ts'

/** Runs one command, from argv to exit code. All errors are handled here. */
export async function run(tree: Tree, argv: readonly string[], context: Context): Promise<number> {
  // The scripts of `pay completion` call this for the candidates.
  if (argv[0] === '__complete')
    return (await import('./completion/complete.ts')).complete(tree, argv.slice(1), context)
  let invocation: StartedRun | undefined
  const line = scanLine(argv)
  try {
    const parsed = await readLine(tree, line)
    if (parsed.kind === 'version') return await print(context, `${context.version}\n`)
    if (parsed.kind === 'help') {
      const { describeDoubt, helpPage } = await import('./help/help.ts')
      const { version, stdout } = context
      const options = { version, columns: stdout.columns, isShort: parsed.isShort }
      const doubt = argv.length === 0 ? await describeDoubt(context) : ''
      return await print(context, `${doubt}${await helpPage(parsed.page, options)}`)
    }
    const { spec, input } = parsed
    const settings = readSettings(input, context.env)
    invocation = startInvocation({ context, spec, input, settings })
    return await execute(invocation, tree)
  } catch (error) {
    return await reportError({ context, line, invocation }, error)
  } finally {
    // The command is done and reported; a failure to close the connection does not matter.
    await invocation?.close().catch(() => undefined)
  }
}

async function execute(invocation: CommandRun, tree: Tree): Promise<number> {
  const { spec, settings } = invocation
  refuseConflicts(spec, settings)
  if (usesState(spec))
    checkPrivateFolder(invocation.context.stateFolder, invocation.context.uid, { corrects: false })
  if (namesSandbox(invocation.input)) await invocation.noteSandbox()
  if (settings.query !== undefined) {
    const { checkQuery } = await import('../output/jmespath.ts')
    await checkQuery(settings.query)
  }
  const input = await completeInput(invocation)
  const result = await (spec.run?.({ ...invocation, input }, input, tree) ?? runOperation(invocation))
  try {
    await writeResult(invocation, result)
    await result.running?.ended
  } finally {
    await result.running?.stop()
  }
  return result.exitCode
}

/** Commands that neither read nor write the state folder. `doctor` reports on it. */
const WITHOUT_STATE: readonly string[] = ['commands', 'completion', 'doctor', 'help', 'profile', 'schema']

const usesState = ({ path: [noun] }: CommandSpec): boolean => !WITHOUT_STATE.includes(noun)

const namesSandbox = (input: CommandInput): boolean =>
  switchFlag(input, 'sandbox') || textFlag(input, 'profile') === SANDBOX

/**
 * The input of a command that isn't a single operation, with its required values: asks for those that are missing.
 * @throws {UsageError} one error for all missing values if questions are not allowed
 */
async function completeInput(invocation: CommandRun): Promise<CommandInput> {
  const { spec, input, isInteractive } = invocation
  refuseEmptyPaths(spec, input)
  if (spec.operation !== undefined) return input
  const args = (spec.args ?? []).filter(
    ({ name, optional }) => optional !== true && input.args[name] === undefined,
  )
  const flags = Object.entries(spec.flags ?? {}).filter(
    ([name, { required }]) => required === true && input.flags[name] === undefined,
  )
  if (args.length + flags.length === 0) return input
  if (args.length > 0) refuseShiftedArguments(invocation)
  if (!isInteractive)
    throw new UsageError(
      `Missing: ${[...args.map(describe), ...flags.map(([name]) => `--${name}`)].join(', ')}`,
      { code: 'missing_input', next: [`pay ${spec.path.join(' ')} --help`] },
    )
  // Before any question, so that no answer is in vain.
  for (const { name, check } of spec.args ?? []) {
    const typed = input.args[name]
    if (typed !== undefined) check?.(typed, invocation.context)
  }
  const { askValue } = await import('./request/ask-missing.ts')
  let { words = [] } = input
  const given: Record<string, string> = {}
  for (const { name, ...argument } of args) {
    const answer = await askValue(invocation, name, argument)
    given[name] = answer
    if (argument.repeats === true) words = answer.split(/\s+/)
  }
  const answers: Record<string, string> = {}
  for (const [name, flag] of flags) answers[name] = await askValue(invocation, name, flag)
  return { ...input, args: { ...input.args, ...given }, words, flags: { ...input.flags, ...answers } }
}

/** Refuses `batch plan FILE`: what was left out is the word before it, not the one after. */
function refuseShiftedArguments(invocation: CommandRun): void {
  const { spec, input } = invocation
  const [first, second] = spec.args ?? []
  const word = first === undefined ? undefined : input.args[first.name]
  if (first?.choices === undefined || second === undefined || word === undefined) return
  if (first.choices.includes(word.toUpperCase()) || meantBy(word, first.choices) !== undefined) return
  throw new UsageError(`Missing: ${describe(first)}`, {
    code: 'missing_input',
    hint: `${first.name} comes before ${second.name}.`,
    next: [
      `pay${accountFlagsOf(invocation)} ${[...spec.path, first.choices[0] ?? '', word].map(shellWord).join(' ')}`,
    ],
  })
}

/** Refuses an empty path, which would be the current folder. */
function refuseEmptyPaths({ args = [], flags = {} }: CommandSpec, input: CommandInput): void {
  const empty =
    args.find((argument) => isPath(argument) && input.args[argument.name] === '')?.name ??
    Object.keys(flags).find((name) => isPath(flags[name] ?? {}) && input.flags[name] === '')
  if (empty === undefined) return
  const name = Object.hasOwn(flags, empty) ? `--${empty}` : empty
  throw new UsageError(`${name} is empty`, { code: 'bad_value' })
}

const isPath = ({ from }: ValueSpec): boolean => from === 'file' || from === 'folder'

const describe = ({ name, choices }: ArgumentSpec): string =>
  choices === undefined ? name : `${name} (${joinChoices(choices)})`

async function writeResult(invocation: CommandRun, result: Result): Promise<void> {
  if (result.warning !== undefined) await invocation.warn(`Warning: ${result.warning}`)
  let isNothingSelected = false
  const onEmptyQuery = () => {
    isNothingSelected = true
  }
  const parts = result.parts?.(invocation.settings) ?? [
    await renderWhatWasDone(invocation, result, onEmptyQuery),
  ]
  let isEmpty = true
  for await (const part of parts) {
    isEmpty &&= part === ''
    await showText(invocation, result, invocation.hideKeys(part)).catch((error: unknown) => {
      throw outputFailed(error, invocation, result)
    })
  }
  const { format, query } = invocation.settings
  const isOne = result.isList !== true && result.exitCode === EXIT.done
  if (isEmpty && isOne && format === 'id' && query === undefined)
    await invocation.note('This result has no ID, so -o id prints nothing.')
  if (isNothingSelected || (isEmpty && format === 'id' && query !== undefined))
    await invocation.note(`--query selected nothing.${hintForList(query)}`)
  // Responses that are not a success (8 and 13) are printed too, and reported on stderr.
  if (result.problem !== undefined || result.exitCode !== EXIT.done)
    await reportNonSuccess(invocation, result)
}

/** Lists of the API are objects. */
const hintForList = (query = ''): string =>
  query.trimStart().startsWith('[') ? ' Most results are objects such as {data: […]}: try data[…].' : ''

/** Renders the result. After a write, a query that fails must not fail the command: that would read as "not done". */
async function renderWhatWasDone(
  invocation: CommandRun,
  result: Result,
  onEmptyQuery: () => void,
): Promise<string> {
  const { format, query } = invocation.settings
  const options = await invocation.renderOptions()
  try {
    return await result.render({ format, query, onEmptyQuery, options })
  } catch (error) {
    if (invocation.effect() !== 'applied') throw error
    await invocation.warn(`Warning: ${asPayError(error, 'applied').message}; the whole response is shown.`)
    return result.render({ format: error instanceof UsageError ? format : 'json', query: undefined, options })
  }
}

/** Prints the text of a result on stdout: through the pager if it is a list that is taller than the terminal. */
async function showText(invocation: CommandRun, result: Result, text: string): Promise<void> {
  const { context } = invocation
  const pager = result.isList === true ? pagerFor(invocation, text) : undefined
  if (pager === undefined || !(await context.program.page(text, pager))) await context.stdout.write(text)
}

function pagerFor({ context, settings }: CommandRun, text: string): Pager | undefined {
  const { env, stdout } = context
  const { isTTY, rows } = stdout
  if (!isTTY || !rows || isMachine(settings.format) || settings.query !== undefined) return undefined
  if (!settings.mayPage || settings.neverAsks || context.isDesk === true) return undefined
  if (isOn(env['CI']) || env['TERM'] === 'dumb') return undefined
  // Windows has no less.
  const command = (env['PAGER'] ?? (context.program.platform === 'win32' ? '' : 'less')).trim()
  // The prompt of the shell takes one more line.
  if (command === '' || command === 'cat' || text.split('\n').length <= rows) return undefined
  // As git does: leave at once if the text fits, keep colours and what was shown. less itself would show the bytes of UTF-8 in LANG=C.
  return { command, env: { ...env, LESS: env['LESS'] ?? 'FRX', LESSCHARSET: env['LESSCHARSET'] ?? 'utf-8' } }
}

async function print(context: Context, text: string): Promise<number> {
  await context.stdout.write(text)
  return EXIT.done
}
