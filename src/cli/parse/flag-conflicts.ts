import { UsageError } from '../../errors.ts'
import type { Operation } from '../../api/operation.ts'
import { takesBody } from './command-flags.ts'
import type { Settings } from '../command/settings.ts'
import type { CommandSpec } from '../command/spec.ts'

/** Options of requests at a command that has no use for them: obeyed by nobody, they would be taken for a promise. */
export function refuseConflicts(spec: CommandSpec, settings: Settings): void {
  const { mode, wantsReceipt } = settings
  const name = `pay ${spec.path.join(' ')}`
  const sendsAnything = spec.operation === undefined && takesBody(spec)
  const obeys = spec.dryRuns === true && mode === 'dry-run'
  if (spec.operation === undefined && !sendsAnything && mode !== 'send' && !obeys) {
    throw new UsageError(
      `${name} has no request of its own to show, and --${mode} would promise to do nothing`,
      {
        code: 'bad_value',
        outcome: 'none',
        hint: `Nothing was done. Leave --${mode} out.`,
      },
    )
  }
  if (wantsReceipt && mode !== 'send')
    throw meaningless(`--${mode} sends nothing, so there is nothing to give a receipt of`, 'receipt')
  if (!sendsAnything) refuseForOperation(name, spec.operation, settings)
}

/** The same for one operation; undefined for a command that sends none of its own. */
export function refuseForOperation(
  name: string,
  operation: Pick<Operation, 'idempotencyKey' | 'risk'> | undefined,
  { idempotencyKey, ticket, saysAgain, wantsReceipt }: Settings,
): void {
  if (idempotencyKey !== undefined && operation?.idempotencyKey !== true)
    throw meaningless(`${name} takes no idempotency key`, 'idempotency-key')
  const isWrite = operation !== undefined && operation.risk !== 'read'
  for (const [flag, isGiven] of [
    ['once', ticket !== undefined],
    ['again', saysAgain],
    ['receipt', wantsReceipt],
  ] as const)
    if (isGiven && !isWrite) throw meaningless(`${name} changes nothing that --${flag} could be about`, flag)
  if (ticket !== undefined && operation?.idempotencyKey !== true)
    throw meaningless(
      `${name} takes no idempotency key, so the service cannot tell whether a ticket was used`,
      'once',
    )
}

const meaningless = (message: string, flag: string): UsageError =>
  new UsageError(message, { code: 'bad_value', outcome: 'none', hint: `Leave --${flag} out.` })
