import { UsageError } from '../../errors.ts'
import { splitOnce } from './scan-line.ts'
import { needsCurrency, parseAmount } from '../../money/parse.ts'
import { closest } from '../../text/suggest.ts'
import { parseCount } from './count.ts'
import { parseFieldPath, setField } from './field-path.ts'
import type { Parts } from '../command/flags.ts'

/** The part of a malformed assignment before the first `:` or `=`. The rest may be a secret. */
export const assignedName = (text: string): string => text.replace(/[:=].*$/s, '')

/** Parses `KEY=VALUE` pairs. */
export function parsePairs(texts: readonly string[], what: string): Readonly<Record<string, string>> {
  const pairs: [string, string][] = []
  for (const text of texts) {
    const [key, value] = splitOnce(text, '=')
    if (value === undefined || key === '') {
      const problem =
        key === '' ? 'gives a value without a key' : `takes KEY=VALUE, not "${assignedName(text)}"`
      throw new UsageError(`${what} ${problem}`, { code: 'bad_value' })
    }
    if (key === '__proto__') throw new UsageError(`${what}: "${key}" cannot be a key`, { code: 'bad_value' })
    if (pairs.some(([existingKey]) => existingKey === key))
      throw new UsageError(`${what} gives "${key}" twice`, { code: 'given_twice' })
    pairs.push([key, value])
  }
  return Object.fromEntries(pairs)
}

/** An object typed as one word, and the currency of its amounts if known. */
interface ParsedParts {
  readonly value: unknown
  readonly currencyCode: string | undefined
}

interface PartsOptions {
  /** The flag, for messages: `--line-item`. */
  readonly what: string
  readonly parts: Parts
  readonly currencyCode: string | undefined
}

/** Parses `name=Blue shoe,amount=10.00 EUR,productData.sku=S-1`. A comma in a value is written `\,`. */
export function parseParts(text: string, { what, parts, currencyCode }: PartsOptions): ParsedParts {
  let parsed: ParsedParts = { value: undefined, currencyCode }
  const seen = new Set<string>()
  for (const piece of piecesOf(text)) {
    const [name, raw] = splitOnce(piece, '=')
    if (raw === undefined) throw malformedPartError(what, piece)
    if (seen.has(name)) throw new UsageError(`${what} gives ${name} twice`, { code: 'given_twice' })
    seen.add(name)
    parsed = withPart(parsed, name, raw.replaceAll('\\,', ','), { what, parts })
  }
  return parsed
}

function withPart(
  { value, currencyCode }: ParsedParts,
  name: string,
  text: string,
  { what, parts }: Pick<PartsOptions, 'what' | 'parts'>,
): ParsedParts {
  const kind = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (kind === undefined) throw unknownPartError(what, name, parts)
  const path = parseFieldPath(name, what)
  const part = `${what} ${name}`
  switch (kind) {
    case 'text':
      return { value: setField(value, path, text, what), currencyCode }
    case 'count':
      return { value: setField(value, path, parseCount(text, part), what), currencyCode }
    case 'amount': {
      const amount = parseAmount(text, { what: part, currencyCode, allowZero: true })
      return { value: setField(value, path, amount.amountMinor, what), currencyCode: amount.currencyCode }
    }
  }
}

/** Whether one of the amounts is a bare decimal, which needs a currency. */
export const partsNeedCurrency = (text: string, parts: Parts): boolean =>
  piecesOf(text).some((piece) => {
    const [name, value] = splitOnce(piece, '=')
    return Object.hasOwn(parts, name) && parts[name] === 'amount' && needsCurrency(value ?? '')
  })

const piecesOf = (text: string): readonly string[] => text.split(/(?<!\\),/)

const malformedPartError = (what: string, piece: string): UsageError =>
  new UsageError(`${what}: "${assignedName(piece)}" is not of the form field=value`, {
    code: 'bad_value',
    hint: 'Write it like "name=Blue shoe,amount=1000", and a comma in a value as \\,',
  })

function unknownPartError(what: string, name: string, parts: Parts): UsageError {
  const names = Object.keys(parts)
  const suggestion = closest(name, names)
  return new UsageError(`${what} has no field "${assignedName(name)}"`, {
    code: 'bad_value',
    hint: `${suggestion === undefined ? '' : `Did you mean ${suggestion}? `}Its fields are ${names.join(', ')}.`,
  })
}
