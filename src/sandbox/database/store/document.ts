import { isRecord } from '../../../is-record.ts'
import { parseJson, stringifyJson } from '../../../json/json.ts'
import { unreadableDocument } from '../database-error.ts'
import { textIn } from '../database.ts'
import type { Row } from '../database.ts'

/** A longer run of digits may be a number that JavaScript would round. */
const LONG_NUMBER = /\d{16}/

/** Reads what we wrote ourselves: the guard only tells the compiler which shape that was. */
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

/** The guard of a shape that is known by these texts. */
export const hasTexts =
  <T>(...names: readonly (keyof T & string)[]) =>
  (value: unknown): value is T =>
    isRecord(value) && names.every((name) => typeof value[name] === 'string')
