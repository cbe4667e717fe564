import { UsageError } from '../errors.ts'
import { takesBody } from './input.ts'
import type { Settings } from './settings.ts'
import type { CommandSpec } from './spec.ts'

/** Options of requests at a command that has no use for them: obeyed by nobody, they would be taken for a promise. */
export function refuseMeaningless(spec: CommandSpec, { mode, idempotencyKey }: Settings): void {
  const name = `pay ${spec.path.join(' ')}`
  const sendsAnything = spec.operation === undefined && takesBody(spec)
  if (
    spec.operation === undefined &&
    !sendsAnything &&
    mode !== 'send' &&
    !(spec.dryRun === true && mode === 'dry-run')
  ) {
    throw new UsageError(
      `${name} has no request of its own to show, and --${mode} would promise to do nothing`,
      {
        code: 'bad_value',
        outcome: 'none',
        hint: `Nothing was done. Leave --${mode} out.`,
      },
    )
  }
  if (idempotencyKey === undefined || sendsAnything || spec.operation?.idempotencyKey === true) return
  throw new UsageError(`${name} takes no idempotency key`, {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Leave --idempotency-key out.',
  })
}
