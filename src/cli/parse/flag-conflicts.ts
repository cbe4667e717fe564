import { UsageError } from '../../errors.ts'
import type { Operation } from '../../api/operation.ts'
import { takesBody } from './command-flags.ts'
import type { Settings } from '../command/settings.ts'
import type { CommandSpec } from '../command/spec.ts'

/** Refuses request options that the command ignores, since the user relies on them. */
export function refuseConflicts(spec: CommandSpec, settings: Settings): void {
  const { mode, wantsReceipt } = settings
  const name = `pay ${spec.path.join(' ')}`
  const sendsAnything = spec.operation === undefined && takesBody(spec)
  const hasDryRun = spec.supportsDryRun === true && mode === 'dry-run'
  if (spec.operation === undefined && !sendsAnything && mode !== 'send' && !hasDryRun) {
    throw new UsageError(`${name} does not support --${mode}: it has no single request to show`, {
      code: 'bad_value',
      hint: `Nothing was done. Leave out --${mode}.`,
    })
  }
  if (wantsReceipt && mode !== 'send')
    throw unusedFlag(`--${mode} sends nothing, so there is no receipt`, 'receipt')
  const allowsRepeat = settings.allowsRepeat && spec.takesAgain !== true
  if (!sendsAnything) refuseForOperation(name, spec.operation, { ...settings, allowsRepeat })
}

/** Refuses options that the operation does not use. `operation` is undefined for a command that sends none itself. */
export function refuseForOperation(
  name: string,
  operation: Pick<Operation, 'idempotencyKey' | 'risk'> | undefined,
  { idempotencyKey, ticket, allowsRepeat, wantsReceipt }: Settings,
): void {
  if (idempotencyKey !== undefined && operation?.idempotencyKey !== true)
    throw unusedFlag(`${name} takes no idempotency key`, 'idempotency-key')
  const isWrite = operation !== undefined && operation.risk !== 'read'
  for (const [flag, isGiven] of [
    ['once', ticket !== undefined],
    ['again', allowsRepeat],
    ['receipt', wantsReceipt],
  ] as const)
    if (isGiven && !isWrite)
      throw unusedFlag(
        // A command that sends no single operation, such as an import, may change something even so.
        operation === undefined
          ? `${name} does not take --${flag}`
          : `${name} changes nothing, so it does not take --${flag}`,
        flag,
      )
  if (ticket !== undefined && operation?.idempotencyKey !== true)
    throw unusedFlag(
      `${name} takes no idempotency key, so the service cannot tell whether a ticket was used`,
      'once',
    )
}

const unusedFlag = (message: string, flag: string): UsageError =>
  new UsageError(message, { code: 'bad_value', hint: `Leave out --${flag}.` })
