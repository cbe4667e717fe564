import { MAX_DEPTH } from '../../json/json-error.ts'
import { JsonError } from '../../json/json-error.ts'
import { invalid } from '../problem.ts'
import { wordPath } from './validation-words.ts'

/** The limits of a request body. They are checked first: no body may keep the service from its other clients. */

/** 1 MB. The rest of a larger body isn't read. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Texts, numbers, lists, objects and so on, all together. An order of 1,000 lines has about 8,000. */
const MAX_BODY_VALUES = 10_000

/** Of one list, such as the lines of an order, or of one object, such as metadata. */
const MAX_ENTRIES = 1_000

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A list or an object that is open where the text is being read. */
interface Open {
  readonly isList: boolean
  entries: number
  /** Where the key of the current field is written. */
  key: readonly [start: number, end: number]
}

const NO_KEY = [0, 0] as const

/**
 * Counts the values of JSON text without parsing it, which takes far less time. Text that is no JSON is for the parser to
 * refuse.
 * @throws {Problem} naming the limit that the body exceeds
 * @throws {JsonError} where it nests too deep
 */
export function checkSize(text: string): void {
  // Nearly every body is too short to exceed a limit: a value takes at least two characters. Nesting is the parser's too.
  if (text.length < MAX_ENTRIES * 2) return
  const open: Open[] = []
  let values = 1
  let lastString: readonly [number, number] = NO_KEY

  const countValue = () => {
    values += 1
    if (values > MAX_BODY_VALUES) throw tooMany([], `${MAX_BODY_VALUES} values in all`)
  }

  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      lastString = [at, end + 1]
      at = end
    } else if (code === COMMA) {
      countValue()
      const inner = open.at(-1)
      if (inner === undefined) continue
      inner.entries += 1
      if (inner.entries > MAX_ENTRIES)
        throw tooMany(
          pathTo(open.slice(0, -1), text),
          `${MAX_ENTRIES} ${inner.isList ? 'entries' : 'fields'}`,
        )
    } else if (code === COLON) {
      const inner = open.at(-1)
      if (inner !== undefined) inner.key = lastString
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      countValue()
      open.push({ isList: code === OPEN_LIST, entries: 1, key: NO_KEY })
      if (open.length > MAX_DEPTH) throw new JsonError(`Nested deeper than ${MAX_DEPTH} levels`, text, at)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      open.pop()
    }
  }
}

/** Where its closing quote is. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at += 1
  }
  return text.length
}

const pathTo = (open: readonly Open[], text: string): readonly (string | number)[] =>
  open.map(({ isList, entries, key }) => (isList ? entries - 1 : text.slice(key[0] + 1, key[1] - 1)))

const tooMany = (path: readonly (string | number)[], limit: string) =>
  invalid([{ path: wordPath(path), description: `must have at most ${limit}` }])
