import { request } from 'node:http'
import { Duplex } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AnswerReader } from '../../src/http/answer-reader.ts'

interface Read {
  readonly status: number
  readonly body: string
}

/** What is read of the pieces of an answer, and then of its end; undefined for none, or none that is complete. */
function read(
  pieces: readonly Buffer[],
  method = 'POST',
): (Read & { readonly isReusable: boolean }) | undefined {
  const reader = new AnswerReader()
  reader.begin(method)
  // As from a socket that uses its memory again.
  const memory = Buffer.alloc(64 * 1024)
  try {
    const isComplete = pieces.some((piece) => {
      piece.copy(memory)
      const isDone = reader.take(memory.subarray(0, piece.length))
      if (!isDone) memory.fill('#')
      return isDone
    })
    if (!isComplete && !reader.end()) return undefined
    const { status, isReusable } = reader
    return { status, body: reader.body().toString('latin1'), isReusable }
  } catch {
    return undefined
  }
}

/** The same by Node's own client. */
function readByNode(bytes: Buffer): Promise<Read | undefined> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => done() })
    const sent = request({ method: 'POST', createConnection: () => socket }, (answer) => {
      const body: Buffer[] = []
      answer.on('data', (chunk: Buffer) => body.push(chunk))
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => {
        const text = Buffer.concat(body).toString('latin1')
        resolve(answer.complete ? { status: answer.statusCode ?? 0, body: text } : undefined)
      })
    })
    sent.on('error', () => resolve(undefined))
    sent.on('upgrade', () => resolve(undefined))
    sent.on('close', () => resolve(undefined))
    sent.end()
    setImmediate(() => {
      socket.push(bytes)
      socket.push(null)
    })
  })
}

/** Of the answer alone: another may stand behind it. */
function lengthOf(bytes: Buffer): number {
  const reader = new AnswerReader()
  reader.begin('POST')
  for (let at = 0; at < bytes.length; at += 1) if (reader.take(bytes.subarray(at, at + 1))) return at + 1
  return bytes.length
}

const cut = (bytes: Buffer, places: readonly number[]): readonly Buffer[] => {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index]))
}

const ANSWERS = [
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\nx-t: 1\r\n\r\n',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n00000000007\r\n{"a":1}\r\n000\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 409 Conflict\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
  'HTTP/1.1 204 No Content\r\nx-a: \r\n\r\n',
  'HTTP/1.0 200 OK\r\n\r\nto the end',
  'HTTP/1.1 503\r\ncontent-length: 0\r\n\r\n',
]
const someAnswer = fc.constantFrom(...ANSWERS)
const places = fc.array(fc.nat(300), { maxLength: 5 })

describe('an answer', () => {
  test('is the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(someAnswer, places, (text, at) => {
        const bytes = Buffer.from(text)
        expect(read(cut(bytes, at))).toEqual(read([bytes]))
        expect(read([bytes])).toBeDefined()
      }),
    )
  })

  test('that stops anywhere before its end is none', () => {
    for (const text of ANSWERS.filter((one) => !one.startsWith('HTTP/1.0')))
      for (let length = 0; length < text.length; length += 1)
        expect(read([Buffer.from(text.slice(0, length))]), text.slice(0, length)).toBeUndefined()
  })

  test("that is damaged is none, or the one that Node's own client reads", async () => {
    const pieces = [
      '\r\n',
      '\n',
      ' ',
      ':',
      '0',
      '9',
      '\0',
      '\r',
      'chunked',
      'content-length: 3\r\n',
      'HTTP/1.1 200 OK\r\n',
      ';',
      '-',
      'é',
    ]
    const damage = fc.record({
      at: fc.nat(160),
      drop: fc.nat(4),
      add: fc.constantFrom('', ...pieces),
    })
    let complete = 0
    await fc.assert(
      fc.asyncProperty(
        someAnswer,
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        async (text, damages) => {
          const damaged = damages.reduce(
            (now, { at, drop, add }) => now.slice(0, at) + add + now.slice(at + drop),
            text,
          )
          const bytes = Buffer.from(damaged, 'latin1')
          const ours = read([bytes])
          if (ours === undefined) return
          complete += 1
          const { status, body } = ours
          expect(await readByNode(bytes.subarray(0, lengthOf(bytes)))).toEqual({ status, body })
        },
      ),
      { numRuns: Number(process.env['PAY_TEST_ANSWERS'] ?? 400) },
    )
    expect(complete).toBeGreaterThan(0)
  })
})

describe('another request follows on the connection', () => {
  test.each([
    [ANSWERS[0], true],
    [ANSWERS[1], true],
    [ANSWERS[2], true],
    [ANSWERS[3], false],
    [ANSWERS[5], false],
    [`${ANSWERS[0]}HTTP/1.1 200 OK\r\n`, false],
  ])('%j: %s', (text = '', isReusable) => {
    expect(read([Buffer.from(text)])).toMatchObject({ isReusable })
  })
})

test.each([
  ['two lengths', 'content-length: 2\r\ncontent-length: 2'],
  ['a length and chunks', 'content-length: 2\r\ntransfer-encoding: chunked'],
  ['a length that is none', 'content-length: +2'],
  ['a coding that is not undone', 'transfer-encoding: gzip, chunked'],
  ['a folded header', 'x-a: 1\r\n 2\r\ncontent-length: 2'],
  ['a header without a name', ': 1\r\ncontent-length: 2'],
  ['a space behind a name', 'content-length : 2'],
])('%s: nobody knows where it ends, and it is no answer', (_, fields) => {
  expect(read([Buffer.from(`HTTP/1.1 200 OK\r\n${fields}\r\n\r\n{}`)])).toBeUndefined()
})

test('lines that end in line feeds alone are no head, and that is known before all of it has come', () => {
  const reader = new AnswerReader()
  reader.begin('POST')
  expect(() => reader.take(Buffer.from('HTTP/1.1 200 OK\ncontent-le'))).toThrow('the end of a line')
})

test.each(['\u0001', '\u007f', '\u000b', '\0'])('a value with %j in it is no value', (sign) => {
  expect(
    read([Buffer.from(`HTTP/1.1 200 OK\r\nx-a: a${sign}b\r\ncontent-length: 2\r\n\r\n{}`)]),
  ).toBeUndefined()
})

test('an answer to HEAD has no body, whatever it says', () => {
  expect(read([Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n')], 'HEAD')).toMatchObject({
    body: '',
  })
})

describe('a field with thousands of spaces before a sign that may not be in it is refused', () => {
  const field = `x-a: ${' '.repeat(16_000)}\0`
  test.each([
    ['in the head', `HTTP/1.1 200 OK\r\n${field}\r\ncontent-length: 2\r\n\r\n{}`],
    ['in a trailer', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${field}\r\n\r\n`],
  ])('%s', (_, text) => {
    expect(read([Buffer.from(text)])).toBeUndefined()
  })
})

test('spaces and tabs around the value of a field are not a part of it, those in it are', () => {
  const reader = new AnswerReader()
  reader.begin('POST')
  reader.take(
    Buffer.from('HTTP/1.1 204 X\r\nA: \t 1 \t2 \t\r\nb:\u00a03\u00a0\r\nc: \t\r\nd:\r\n\r\n', 'latin1'),
  )
  expect(reader.headers).toEqual({ a: '1 \t2', b: '\u00a03\u00a0', c: '', d: '' })
})

test.each(['\r\n', 'more', ' ', '\0'])(
  'what comes behind a complete answer makes it no failure, and the connection useless: %j',
  (more) => {
    for (const text of ANSWERS.filter((one) => !one.startsWith('HTTP/1.0'))) {
      const { status, body } = read([Buffer.from(text)]) ?? {}
      expect(read([Buffer.from(text + more)]), text).toEqual({ status, body, isReusable: false })
    }
  },
)

describe('a body in many small pieces', () => {
  const CHUNKS = 500_000
  const heapBytes = (): number => {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    return process.memoryUsage().heapUsed
  }
  const takeChunks = (reader: AnswerReader): void => {
    reader.begin('POST')
    reader.take(Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'))
    const thousand = ['a', 'b'].map((sign) => Buffer.from(`1\r\n${sign}\r\n`.repeat(1_000)))
    for (let taken = 0; taken < CHUNKS; taken += 2_000) for (const some of thousand) reader.take(some)
  }

  test('takes little more memory than its bytes', () => {
    const reader = new AnswerReader()
    const before = heapBytes()
    takeChunks(reader)
    expect(heapBytes() - before).toBeLessThan(20 * 1024 * 1024)
    expect(reader.isDone).toBe(false)
  })

  test('is put together in their order', () => {
    const reader = new AnswerReader()
    takeChunks(reader)
    expect(reader.take(Buffer.from('3\r\nend\r\n0\r\n\r\n'))).toBe(true)
    expect(reader.body().toString()).toBe(
      `${`${'a'.repeat(1_000)}${'b'.repeat(1_000)}`.repeat(CHUNKS / 2_000)}end`,
    )
  })
})
