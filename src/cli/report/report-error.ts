import { EXIT, PayError } from '../../errors.ts'
import type { ErrorDetails } from '../../errors.ts'
import { renderErrorJson, renderError } from '../../output/error-text.ts'
import { plainPaint } from '../../output/paint.ts'
import type { Context } from '../command/context.ts'
import { listFlag, textFlag } from '../command/input.ts'
import type { Invocation } from '../invocation.ts'
import { adviceFor } from './next-steps.ts'
import type { Result } from '../command/result.ts'
import { guessFormat, isMachine } from '../parse/settings.ts'
import type { CommandSpec } from '../command/spec.ts'

/** Any command's end that is an error, and its exit code. `argv` says the format where the words could not be read. */
export async function reportError(
  {
    context,
    argv,
    invocation,
  }: {
    readonly context: Context
    readonly argv: readonly string[]
    readonly invocation: Invocation | undefined
  },
  thrown: unknown,
): Promise<number> {
  const error = await withAdvice(asPayError(thrown, invocation?.hasWritten() === true), invocation)
  const isForMachines = isMachine(invocation?.settings.format ?? guessFormat(argv, context.env))
  const paint = (await invocation?.paint('stderr')) ?? plainPaint
  const text = isForMachines
    ? renderErrorJson(error)
    : renderError(error, {
        paint,
        width: context.stderr.columns,
        nameOf: (path) => flagOf(invocation, path),
      })
  const clean = invocation?.hideSecrets(text) ?? text
  await context.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
  return error.exitCode
}

/** The flag that sets a field; the path itself where the body was not typed as flags. */
function flagOf(invocation: Invocation | undefined, path: string): string {
  const { input, spec } = invocation ?? {}
  if (input === undefined || textFlag(input, 'data') !== undefined || listFlag(input, 'set').length > 0)
    return path
  const field = path.replace(/^\$\.?/, '')
  const found = Object.entries(spec?.flags ?? {}).find(([, flag]) => flag.field === field)
  return found === undefined ? path : `--${found[0]}`
}

export function asPayError(thrown: unknown, hasWritten: boolean): PayError {
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
  // Only we know where the key came from; the service may have a hint of its own.
  const isAboutKey = error.exitCode === EXIT.auth && hint !== undefined && error.details.hint !== undefined
  return new PayError(error.code, error.exitCode, error.message, {
    ...error.details,
    hint: isAboutKey ? `${hint} ${error.details.hint}` : (error.details.hint ?? hint),
    next: error.details.next ?? (next === undefined || next.length === 0 ? undefined : next),
    cause: error,
  })
}

/** Answers that are no success (8 and 13) are printed like any other, and told of on stderr. */
export async function reportNonSuccess(invocation: Invocation, result: Result): Promise<void> {
  const { spec, context, settings, paint } = invocation
  const unhappy = result.problem ?? (result.exitCode === EXIT.notFinished ? notFinished(spec) : undefined)
  if (unhappy === undefined) return
  const text = isMachine(settings.format)
    ? `${renderErrorJson(unhappy)}\n`
    : renderError(unhappy, { paint: await paint('stderr'), width: context.stderr.columns })
  const clean = invocation.hideSecrets(text)
  await context.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
}

/** `said`: why, where the service has said it. */
export const notFinished = (spec: CommandSpec, said: ErrorDetails = {}): PayError =>
  new PayError('not_finished', EXIT.notFinished, 'Accepted, and not finished yet', {
    ...said,
    operation: spec.operation?.id,
    outcome: 'applied',
    retryable: false,
  })

/** A full disk: what was done is done all the same. */
export function unwritten(cause: unknown, invocation: Invocation, result: Result): PayError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const isDone = invocation.hasWritten() && result.exitCode === EXIT.done
  return new PayError('internal', EXIT.internal, `The result could not be written to stdout: ${why}`, {
    operation: invocation.spec.operation?.id,
    outcome: isDone ? 'applied' : 'none',
    cause,
  })
}
