import { EXIT, messageOf, PayError } from '../../errors.ts'
import type { ErrorDetails, Outcome } from '../../errors.ts'
import { renderErrorJson, renderError } from '../../output/error-text.ts'
import { plainPaint } from '../../output/paint.ts'
import { systemCode } from '../../files/system-code.ts'
import type { Context } from '../command/context.ts'
import { listFlag, textFlag } from '../command/input.ts'
import { riskOf } from '../command/spec.ts'
import type { CommandRun, CommandSpec } from '../command/spec.ts'
import { adviceFor } from './next-steps.ts'
import type { Result } from '../command/result.ts'
import { formatOfError } from '../parse/settings.ts'
import type { ScannedLine } from '../parse/scan-line.ts'
import { isMachine } from '../command/settings.ts'

/** Prints an error and returns its exit code. `line` gives the format if it could not be parsed. */
export async function reportError(
  {
    context,
    line,
    invocation,
  }: {
    readonly context: Context
    readonly line: ScannedLine
    readonly invocation: CommandRun | undefined
  },
  thrown: unknown,
): Promise<number> {
  const effect = invocation?.effect() ?? 'none'
  const resumes = invocation?.spec.resumes === true
  const error = await withAdvice(
    withOutcome(asPayError(thrown, effect, resumes), effect, resumes),
    invocation,
    line,
  )
  const isForMachines = isMachine(invocation?.settings.format ?? formatOfError(line, context.env))
  const paint = (await invocation?.paint('stderr')) ?? plainPaint
  const text = isForMachines
    ? renderErrorJson(error)
    : renderError(error, {
        paint,
        width: context.stderr.columns,
        nameOf: (path) => flagOf(invocation, path),
        unchanged: invocation && unchangedBy(invocation.spec),
      })
  const clean = invocation?.hideSecrets(text) ?? text
  await context.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
  return error.exitCode
}

/** The state after a command that did nothing; undefined for the usual words. */
function unchangedBy(spec: CommandSpec): string | undefined {
  if (spec.unchanged !== undefined) return spec.unchanged
  switch (riskOf(spec)) {
    case 'read':
      return 'this command only reads; it changes nothing at the service'
    case 'write':
      return 'nothing changed'
    case 'destructive':
      return spec.operation === undefined ? 'nothing changed' : undefined
    case 'money':
      return undefined
  }
}

/** The flag that sets a field, or the field's path if the body came from --data or --set. */
function flagOf(invocation: CommandRun | undefined, path: string): string {
  const { input, spec } = invocation ?? {}
  if (input === undefined || textFlag(input, 'data') !== undefined || listFlag(input, 'set').length > 0)
    return path
  const field = path.replace(/^\$\.?/, '')
  const found = Object.entries(spec?.flags ?? {}).find(([, flag]) => flag.field === field)
  return found === undefined ? path : `--${found[0]}`
}

/** Turns anything thrown into our error. `effect` is what is known to be done by then; `resumes` marks a command of many rows. */
export function asPayError(thrown: unknown, effect: Outcome, resumes = false): PayError {
  if (thrown instanceof PayError) return thrown
  const message = messageOf(thrown)
  return new PayError('internal', EXIT.internal, `Unexpected error: ${message}`, {
    // Some rows may be done, and others not.
    outcome: resumes && effect === 'applied' ? 'unknown' : effect,
    cause: thrown,
    hint: `This is a bug in pay. ${resumes && effect !== 'none' ? `${RESUMES} Please report this.` : INTERNAL_HINTS[effect]}`,
  })
}

const RESUMES = 'Rows had been sent. The same command continues after those that are done.'

const INTERNAL_HINTS = {
  none: 'Run the command again with --debug and report the output.',
  unknown:
    "A write had been sent, so don't repeat it: pay ops list shows what became of it. Please report this.",
  applied:
    "The service had already done the write, so don't repeat it: pay ops list shows what was done. Please report this.",
} as const satisfies Record<Outcome, string>

/**
 * Completes what an error says about its outcome. A usage error sends nothing. Once rows are done, an error of a single step,
 * such as writing a file, can't say that nothing changed.
 */
function withOutcome(error: PayError, effect: Outcome, resumes: boolean): PayError {
  const { code, exitCode, message, details } = error
  if (effect === 'none' && exitCode === EXIT.usage && details.outcome === undefined)
    return new PayError(code, exitCode, message, { ...details, outcome: 'none', cause: error })
  if (!resumes || effect !== 'applied' || details.outcome !== 'none') return error
  const hint = details.hint === undefined ? RESUMES : `${details.hint} ${RESUMES}`
  return new PayError(code, EXIT.bulk, message, { ...details, outcome: undefined, hint, cause: error })
}

async function withAdvice(
  error: PayError,
  invocation: CommandRun | undefined,
  line: ScannedLine,
): Promise<PayError> {
  if (invocation === undefined) return error
  const { hint, next } = await adviceFor(error, invocation, line).catch(() => ({
    hint: undefined,
    next: undefined,
  }))
  // For a key, show both hints: only pay knows where it came from, and the service may add its own.
  const isAboutKey = error.exitCode === EXIT.auth && hint !== undefined && error.details.hint !== undefined
  return new PayError(error.code, error.exitCode, error.message, {
    ...error.details,
    hint: isAboutKey ? `${hint} ${error.details.hint}` : (error.details.hint ?? hint),
    next: error.details.next ?? (next === undefined || next.length === 0 ? undefined : next),
    cause: error,
  })
}

/** Reports a response that is not a success (8 and 13) on stderr. Its result has been printed. */
export async function reportNonSuccess(invocation: CommandRun, result: Result): Promise<void> {
  const { spec, context, settings, paint } = invocation
  const nonSuccess = result.problem ?? (result.exitCode === EXIT.notFinished ? notFinished(spec) : undefined)
  if (nonSuccess === undefined) return
  const text = isMachine(settings.format)
    ? `${renderErrorJson(nonSuccess)}\n`
    : renderError(nonSuccess, {
        paint: await paint('stderr'),
        width: context.stderr.columns,
        unchanged: unchangedBy(spec),
      })
  const clean = invocation.hideSecrets(text)
  await context.stderr.write(clean.endsWith('\n') ? clean : `${clean}\n`)
}

/** The error for exit code 8. `details` contain the reason of the service, if it gave one. */
export const notFinished = (spec: CommandSpec, details: ErrorDetails = {}): PayError =>
  new PayError('not_finished', EXIT.notFinished, 'Accepted, but not finished yet', {
    ...details,
    operation: spec.operation?.id,
    outcome: 'applied',
    retryable: false,
  })

/** The error if stdout cannot be written, such as on a full disk. A write remains done. */
export function outputFailed(cause: unknown, invocation: CommandRun, result: Result): PayError {
  const why = systemCode(cause) === 'ENOSPC' ? 'the disk is full' : messageOf(cause)
  const outcome = outcomeOfUnprinted(invocation, result)
  const isRecorded = outcome !== 'none' && invocation.spec.operation !== undefined
  return new PayError('internal', EXIT.internal, `The result could not be written to stdout: ${why}`, {
    operation: invocation.spec.operation?.id,
    outcome,
    ...(isRecorded ? { hint: "Don't repeat it: the ledger has what was done.", next: ['pay ops list'] } : {}),
    cause,
  })
}

function outcomeOfUnprinted({ effect }: CommandRun, { exitCode, problem }: Result): Outcome {
  if (effect() === 'none') return 'none'
  if (exitCode === EXIT.done || exitCode === EXIT.notFinished) return 'applied'
  return exitCode === EXIT.declined ? 'none' : (problem?.details.outcome ?? 'unknown')
}
