import { EXIT, UsageError } from '../errors.ts'
import type { Context } from './command/context.ts'
import { startInvocation } from './invocation.ts'
import type { Invocation } from './invocation.ts'
import { refuseConflicts } from './parse/flag-conflicts.ts'
import { runOperation } from './operate.ts'
import { readLine } from './parse/program.ts'
import type { Result } from './command/result.ts'
import { readSettings } from './parse/settings.ts'
import type { CommandSpec, Tree } from './command/spec.ts'
import { asPayError, reportError, reportNonSuccess, unwritten } from './report/report-error.ts'

/** One command, from argv to exit code. Every error ends here. */
export async function run(tree: Tree, argv: readonly string[], context: Context): Promise<number> {
  // A shell that wants to know how a line goes on: the scripts of `pay completion` ask so.
  if (argv[0] === '__complete')
    return (await import('./completion/complete.ts')).complete(tree, argv.slice(1), context)
  let invocation: Invocation | undefined
  try {
    const line = await readLine(tree, argv)
    if (line.kind === 'version') return await print(context, `${context.version}\n`)
    if (line.kind === 'help') {
      const { helpPage } = await import('./help/help.ts')
      const { version, stdout } = context
      const options = { version, columns: stdout.columns, isShort: line.isShort }
      return await print(context, await helpPage(line.page, options))
    }
    const { spec, input } = line
    const settings = readSettings(input, context.env)
    invocation = startInvocation({ context, tree, spec, input, settings })
    return await execute(invocation, spec)
  } catch (error) {
    return await reportError({ context, argv, invocation }, error)
  } finally {
    // The work is done and told of: how the connection ends changes nothing of it.
    await invocation?.close().catch(() => undefined)
  }
}

async function execute(invocation: Invocation, spec: CommandSpec): Promise<number> {
  const { settings, input } = invocation
  refuseConflicts(spec, settings)
  if (settings.query !== undefined) {
    const { checkQuery } = await import('../output/jmespath.ts')
    await checkQuery(settings.query)
  }
  const result = await (spec.run?.(invocation, input) ?? runOperation(invocation))
  try {
    await writeResult(invocation, result)
    await result.stay?.over
  } finally {
    await result.stay?.leave()
  }
  return result.exitCode
}

async function writeResult(invocation: Invocation, result: Result): Promise<void> {
  let isNothingSelected = false
  const text = await renderWhatWasDone(invocation, result, () => {
    isNothingSelected = true
  })
  await invocation.context.stdout.write(invocation.hideKeys(text)).catch((error: unknown) => {
    throw unwritten(error, invocation, result)
  })
  if (isNothingSelected) await invocation.note('--query selected nothing.')
  // 0, or an answer that is no success (8 and 13): printed like any other, and told of on stderr.
  if (result.problem !== undefined || result.exitCode !== EXIT.done)
    await reportNonSuccess(invocation, result)
}

/** After a write the answer is shown whatever a query makes of it: failing over it would read as "not done". */
async function renderWhatWasDone(
  invocation: Invocation,
  result: Result,
  onEmptyQuery: () => void,
): Promise<string> {
  const { format, query } = invocation.settings
  const options = await invocation.renderOptions()
  try {
    return await result.render({ format, query, onEmptyQuery, options })
  } catch (error) {
    if (!invocation.hasWritten()) throw error
    await invocation.warn(`Warning: ${asPayError(error, true).message}; the answer is shown whole.`)
    return result.render({ format: error instanceof UsageError ? format : 'json', query: undefined, options })
  }
}

async function print(context: Context, text: string): Promise<number> {
  await context.stdout.write(text)
  return EXIT.done
}
