import { EXIT, PayError, UsageError } from '../errors.ts'
import { errorForMachines, errorForPeople } from '../output/error-text.ts'
import { plainPaint } from '../output/paint.ts'
import type { Context } from './context.ts'
import { asksForHelp, asksForShortHelp, findCommand } from './find-command.ts'
import { startInvocation } from './invocation.ts'
import type { Invocation } from './invocation.ts'
import { refuseMeaningless } from './meaningless.ts'
import { adviceFor } from './next-steps.ts'
import { runOperation } from './operate.ts'
import { parseInput } from './parse-input.ts'
import type { Result } from './result.ts'
import { guessFormat, isMachine, readSettings } from './settings.ts'
import type { CommandSpec, Tree } from './spec.ts'

/** One command, from argv to exit code. Every error ends here. */
export async function run(tree: Tree, argv: readonly string[], context: Context): Promise<number> {
  if (argv[0] === '__complete') return (await import('./complete.ts')).complete(tree, argv.slice(1), context)
  let invocation: Invocation | undefined
  try {
    const found = await findCommand(tree, argv)
    if (found.kind === 'command') {
      const input = await parseInput(found.command, found.rest)
      if (input.flags['version'] === true) return await print(context, `${context.version}\n`)
      const settings = readSettings(input, context.env)
      invocation = startInvocation({ context, tree, spec: found.command, input, settings })
      return await execute(invocation, found.command)
    }
    if (!asksForHelp(argv) && argv.some((word) => word === '--version' || word === '-V'))
      return await print(context, `${context.version}\n`)
    const help = await import('./help.ts')
    const { helpWidth } = await import('./help-layout.ts')
    const options = { width: helpWidth(context.stdout.columns), isShort: asksForShortHelp(argv) }
    if (found.kind === 'root') {
      await refuseLoneFlags(argv)
      return await print(context, help.renderRootHelp(tree, context.version, options))
    }
    if (found.kind === 'noun')
      return await print(context, await help.renderNounHelp(found.name, found.noun, options))
    return await print(context, help.renderCommandHelp(found.command, options))
  } catch (error) {
    return await tell(context, argv, invocation, error)
  } finally {
    // The work is done and told of: how the connection ends changes nothing of it.
    await invocation?.close().catch(() => undefined)
  }
}

async function execute(invocation: Invocation, spec: CommandSpec): Promise<number> {
  const { settings, input } = invocation
  refuseMeaningless(spec, settings)
  if (settings.query !== undefined) {
    const { checkQuery } = await import('../output/query.ts')
    await checkQuery(settings.query)
  }
  const result = await (spec.run?.(invocation, input) ?? runOperation(invocation))
  try {
    await tellResult(invocation, result)
    await result.stay?.over
  } finally {
    await result.stay?.leave()
  }
  return result.exitCode
}

async function tellResult(invocation: Invocation, result: Result): Promise<void> {
  const text = await renderWhatWasDone(invocation, result)
  await invocation.context.stdout.write(text).catch((error: unknown) => {
    throw unwritten(error, invocation, result)
  })
  await tellUnhappy(invocation, result)
}

/** A full disk: what was done is done all the same. */
function unwritten(cause: unknown, invocation: Invocation, result: Result): PayError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const isDone = invocation.hasWritten() && result.exitCode === EXIT.done
  return new PayError('internal', EXIT.internal, `The result could not be written to stdout: ${why}`, {
    operation: invocation.spec.operation?.id,
    outcome: isDone ? 'applied' : 'none',
    cause,
  })
}

/** After a write the answer is shown whatever a query makes of it: failing over it would read as "not done". */
async function renderWhatWasDone(invocation: Invocation, result: Result): Promise<string> {
  const { format, query } = invocation.settings
  const options = await invocation.renderOptions()
  try {
    return await result.render({ format, query, options })
  } catch (error) {
    if (!invocation.hasWritten()) throw error
    await invocation.warn(`Warning: ${asPayError(error, true).message}; the answer is shown whole.`)
    return result.render({ format: error instanceof UsageError ? format : 'json', query: undefined, options })
  }
}

/** Answers that are no success (8 and 13) are printed like any other, and told of on stderr. */
async function tellUnhappy(invocation: Invocation, result: Result): Promise<void> {
  const { spec, context, settings, paint } = invocation
  const unhappy =
    result.problem ??
    (result.exitCode === EXIT.declined
      ? declined(spec)
      : result.exitCode === EXIT.notFinished
        ? notFinished(spec)
        : undefined)
  if (unhappy === undefined) return
  const text = isMachine(settings.format)
    ? `${errorForMachines(unhappy)}\n`
    : errorForPeople(unhappy, await paint('stderr'))
  const clean = invocation.hideSecrets(text)
  await context.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
}

const declined = (spec: CommandSpec): PayError => {
  const operation = spec.operation?.id
  return operation === 'payment.refund'
    ? new PayError('refund_failed', EXIT.declined, 'The refund failed: no money went back to the customer', {
        operation,
        outcome: 'none',
      })
    : new PayError('payment_declined', EXIT.declined, 'The payment was declined or failed: no money moved', {
        operation,
        outcome: 'none',
      })
}
const notFinished = (spec: CommandSpec): PayError =>
  new PayError('not_finished', EXIT.notFinished, 'Accepted, and not finished yet', {
    operation: spec.operation?.id,
    outcome: 'applied',
    retryable: false,
  })

async function tell(
  context: Context,
  argv: readonly string[],
  invocation: Invocation | undefined,
  thrown: unknown,
): Promise<number> {
  const error = await withAdvice(asPayError(thrown, invocation?.hasWritten() === true), invocation)
  const isForMachines = isMachine(invocation?.settings.format ?? guessFormat(argv, context.env))
  const paint = (await invocation?.paint('stderr')) ?? plainPaint
  const text = isForMachines ? errorForMachines(error) : errorForPeople(error, paint)
  const clean = invocation?.hideSecrets(text) ?? text
  await context.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
  return error.exitCode
}

function asPayError(thrown: unknown, hasWritten: boolean): PayError {
  if (thrown instanceof PayError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new PayError('internal', EXIT.internal, `Unexpected error: ${message}`, {
    outcome: hasWritten ? 'applied' : 'none',
    cause: thrown,
    hint: hasWritten
      ? 'This is a fault of ours, after the service had done it. Do not do it again: pay ops list tells what was done. Please report this.'
      : 'This is a fault of ours. Run it again with --debug and report what it prints.',
  })
}

async function withAdvice(error: PayError, invocation: Invocation | undefined): Promise<PayError> {
  if (invocation === undefined) return error
  const { hint, next } = await adviceFor(error, invocation).catch(() => ({
    hint: undefined,
    next: undefined,
  }))
  return new PayError(error.code, error.exitCode, error.message, {
    ...error.details,
    hint: error.details.hint ?? hint,
    next: error.details.next ?? (next === undefined || next.length === 0 ? undefined : next),
    cause: error,
  })
}

/** `pay --sandbox` alone shows the first page; `pay --wrong` does not pretend to understand. */
async function refuseLoneFlags(argv: readonly string[]): Promise<void> {
  if (argv.length > 0 && !asksForHelp(argv))
    await parseInput({ path: [''], summary: '', examples: [{ says: '', line: '' }] }, argv)
}

async function print(context: Context, text: string): Promise<number> {
  await context.stdout.write(text)
  return EXIT.done
}
