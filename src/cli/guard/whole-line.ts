import { formatMoney } from '../../money/format.ts'
import type { Draft } from '../command/draft.ts'
import type { FlagSpec } from '../command/flags.ts'
import type { CommandSpec } from '../command/spec.ts'
import { parseFieldPath } from '../parse/field-path.ts'
import { fieldAt } from '../../json/fields.ts'

/** The arguments that repeat a write without its questions, except for secrets. */
export const wholeLine = (
  { path, args = [], flags = {} }: CommandSpec,
  { params, body }: Draft,
  currencyCode: string | undefined,
): readonly string[] => [
  ...path,
  ...args.flatMap(({ param }) => (param === undefined ? [] : (params[param] ?? []))),
  ...Object.entries(flags).flatMap(([name, flag]) => flagWords(name, flag, body, currencyCode)),
]

function flagWords(
  name: string,
  { field, kind, secret }: FlagSpec,
  body: unknown,
  currencyCode: string | undefined,
): readonly string[] {
  const value = field === undefined ? undefined : fieldAt(body, parseFieldPath(field, field))
  if (value === undefined || value === null) return []
  if (secret === true) return [`--${name}`, '-']
  if (kind === 'amount' && typeof value === 'number') return [`--${name}`, formatMoney(value, currencyCode)]
  if (kind === 'either' && typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
  return kind === 'text' && typeof value === 'string' ? [`--${name}`, value] : []
}
