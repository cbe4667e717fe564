import { isRecord } from '../../../is-record.ts'
import { parseJson, stringifyJson } from '../../../json/json.ts'
import { unreadableDocument } from '../database-error.ts'
import { textIn } from '../database.ts'
import type { Row } from '../database.ts'

/** A longer run of digits may be a number that JavaScript would round. */
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

/** The length of a row's document, in characters. */
export const sizeOf = (row: Row): number => textIn(row, 'doc')?.length ?? 0

/** Parses rows as they are asked for. */
export function* eachOf<T>(rows: Iterable<Row>, parse: (row: Row) => readonly T[]): Generator<T, void> {
  for (const row of rows) yield* parse(row)
}

export const writeDocument = (value: object): string => stringifyJson(value)

/** A type guard that checks only for these string fields. */
export const hasTexts =
  <T>(...names: readonly (keyof T & string)[]) =>
  (value: unknown): value is T =>
    isRecord(value) && names.every((name) => typeof value[name] === 'string')
