import { isRecord } from '../../json/is-record.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { unreadableDocument } from './database-error.ts'
import { textIn } from '../../store/database.ts'
import type { Row } from '../../store/database.ts'

/** A run of digits that may be a number that JavaScript would round. */
const LONG_NUMBER = /\d{16}/

/**
 * Parses the document of a row; undefined without one. `isShape` checks only a few fields, because the sandbox wrote the
 * document itself.
 * @throws {PayError} `sandbox_damaged` if it can't be read
 */
export function readDocument<T>(
  row: Row | undefined,
  isShape: (value: unknown) => value is T,
): T | undefined {
  const text = textIn(row, 'doc')
  if (text === undefined) return undefined
  const value = parseStored(text)
  if (!isShape(value)) throw unreadableDocument()
  return value
}

function parseStored(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? parseJson(text) : JSON.parse(text)
  } catch (error) {
    throw unreadableDocument(error)
  }
}

export const writeDocument = (value: object): string => stringifyJson(value)

/** Returns a type guard that checks only for these string fields. */
export const hasTexts =
  <T>(...names: readonly (keyof T & string)[]) =>
  (value: unknown): value is T =>
    isRecord(value) && names.every((name) => typeof value[name] === 'string')
