import { UsageError } from '../../errors.ts'
import { fieldAt, mergeDeep } from './field-path.ts'
import type { CommandSpec } from '../command/spec.ts'

/** What the command itself stands for. A body that says otherwise was meant for another command. */
export function withFixed(
  spec: CommandSpec,
  body: unknown,
  fixed: Readonly<Record<string, unknown>>,
): unknown {
  for (const [field, value] of Object.entries(fixed)) {
    const given = fieldAt(body, [field])
    if (given === undefined || given === value) continue
    throw new UsageError(
      `pay ${spec.path.join(' ')} sends ${field} ${String(value)}, and the body says otherwise`,
      {
        code: 'invalid_body',
        operation: spec.operation?.id,
        outcome: 'none',
        hint: `Leave ${field} out, or use the command that is meant`,
      },
    )
  }
  return mergeDeep(body ?? {}, fixed)
}
