import { parseJson } from '../json/json.ts'

const LINE_FEED = 0x0a
/** A longer first line is not a record. */
const MAX_LINE_BYTES = 1024 * 1024

/** Finds out whether a stream has several JSON values, one per line, or a single one. `chunks` has all of its bytes. */
export async function peekRecords(stream: AsyncIterable<unknown>): Promise<{
  readonly isMany: boolean
  readonly chunks: AsyncGenerator<Uint8Array>
}> {
  const rest = bytesOf(stream)
  let seen: Buffer = Buffer.alloc(0)
  let isMany: boolean | undefined
  while (isMany === undefined) {
    const next = await rest.next()
    if (next.done === true) isMany = false
    else {
      seen = Buffer.concat([seen, next.value])
      isMany = hasSeveralValues(seen)
    }
  }
  return {
    isMany,
    chunks: (async function* () {
      yield seen
      yield* rest
    })(),
  }
}

/** undefined if more bytes are needed to tell. */
function hasSeveralValues(seen: Buffer): boolean | undefined {
  const text = seen.subarray(0, MAX_LINE_BYTES)
  let from = 0
  for (let end = text.indexOf(LINE_FEED); end !== -1; end = text.indexOf(LINE_FEED, from)) {
    const line = withoutMark(text.toString('utf8', from, end))
    from = end + 1
    if (line.trim() === '') continue
    if (!isJson(line)) return false
    return seen.toString('utf8', from).trim() === '' ? undefined : true
  }
  return text.length < MAX_LINE_BYTES ? undefined : false
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}

async function* bytesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk))
}
