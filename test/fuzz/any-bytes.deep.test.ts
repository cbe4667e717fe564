import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../src/sandbox/serve/server.ts'
import { NOW, openService } from '../sandbox/service.ts'
import { expectServiceResponse } from './expect-response.ts'
import { exchangeBytes, readAnswers } from './raw-responses.ts'
import type { RawAnswer } from './raw-responses.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { requests } from './requests.ts'
import type { FuzzedRequest, Known } from './requests.ts'
import { runsOf } from './run-count.ts'
import { fillStore, openStore } from './stores.ts'

const ROUND = 200

test('any bytes get complete responses in the documented form, and a refused request changes nothing', async () => {
  const { runs, seed } = runsOf(600)
  const service = await openService()
  const failures: unknown[] = []
  const server = await startServer({
    sandbox: service.sandbox,
    host: '127.0.0.1',
    port: 0,
    now: () => NOW,
    newId: () => '00000000-0000-4000-8000-000000000000',
    pid: 1,
    onFailure: (error) => failures.push(error),
  })
  onTestFinished(() => server.close())
  for (let done = 0; done < runs; done += ROUND) {
    const known = await fillStore(service)
    const store = openStore(service.folder)
    const property = fc.asyncProperty(messages(known), async (bytes) => {
      const before = store.contents()
      const answers = readAnswers(await exchangeBytes(server.port, bytes))
      for (const answer of answers) if (!isBare(answer)) expectServiceResponse(answer)
      if (holdsMoreThanLineBreaks(bytes)) expect(answers.length).toBeGreaterThan(0)
      // It ends the connection, and with it the answers to requests before it.
      const mayMissAnswers = answers.some(isBare)
      if (!mayMissAnswers && answers.every(({ status }) => status !== 200))
        expect(store.contents()).toBe(before)
      expect(failures).toEqual([])
    })
    await fc.assert(property, {
      numRuns: Math.min(ROUND, runs - done),
      seed: seed + done,
      endOnFailure: true,
    })
    store.close()
  }
})

/** What isn't a request of HTTP/1.1 gets a response without a body. */
const isBare = ({ status, headers }: RawAnswer) =>
  [400, 417, 431].includes(status) && headers['content-type'] === undefined

/** A server skips empty lines before a request (RFC 9112 section 2.2), so they alone get no response. */
const holdsMoreThanLineBreaks = (bytes: Buffer) => bytes.some((byte) => byte !== 0x0d && byte !== 0x0a)

function messages(known: Known): fc.Arbitrary<Buffer> {
  // The end of a response to HEAD cannot be found from its bytes alone.
  const one = requests(known)
    .filter(({ method }) => method !== 'HEAD')
    .chain((request) => fc.constantFrom(...FRAMES).map((frame) => frame(request)))
  return fc.oneof(
    { weight: 4, arbitrary: one },
    { weight: 4, arbitrary: one.chain(mutateBytes) },
    { weight: 2, arbitrary: fc.tuple(one, one).map((both) => Buffer.concat(both)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((text) => Buffer.from(text, 'latin1')) },
  )
}

const headOf = ({ method, target, headers }: FuzzedRequest, more: readonly string[]) => {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(
    `${[`${method} ${target} HTTP/1.1`, 'host: localhost', ...fields, ...more].join('\r\n')}\r\n\r\n`,
    'latin1',
  )
}

/** The ways to send a body in HTTP/1.1, and some that break its rules. */
const FRAMES: readonly ((request: FuzzedRequest) => Buffer)[] = [
  withLength(0),
  withLength(0),
  withLength(1),
  withLength(-1),
  (request) => Buffer.concat([headOf(request, ['transfer-encoding: chunked']), chunked(request.body)]),
  (request) =>
    Buffer.concat([
      headOf(request, ['transfer-encoding: chunked', `content-length: ${request.body?.length ?? 0}`]),
      chunked(request.body),
    ]),
  (request) =>
    Buffer.concat([headOf(request, ['expect: 100-continue', lengthOf(request, 0)]), bodyOf(request)]),
  (request) => Buffer.concat([headOf(request, ['connection: close', lengthOf(request, 0)]), bodyOf(request)]),
]

function withLength(extra: number) {
  return (request: FuzzedRequest) =>
    Buffer.concat([headOf(request, [lengthOf(request, extra)]), bodyOf(request)])
}

const bodyOf = ({ body }: FuzzedRequest) => body ?? Buffer.alloc(0)
const lengthOf = (request: FuzzedRequest, extra: number) =>
  `content-length: ${bodyOf(request).length + extra}`
const chunked = (body: Buffer | undefined = Buffer.alloc(0)) =>
  Buffer.concat([
    ...(body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]),
    Buffer.from('0\r\n\r\n'),
  ])

const BROKEN = [
  'GET',
  'GET /payments',
  'GET /payments HTTP/1.1\r\n',
  'GET /payments HTTP/0.9\r\n\r\n',
  'GET /payments HTTP/2.0\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'get /payments HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET  /payments HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /payments HTTP/1.1\nhost: localhost\n\n',
  'GET /payments HTTP/1.1\r\nhost x\r\n\r\n',
  'GET /payments HTTP/1.1\r\n host: localhost\r\n\r\n',
  'GET /payments HTTP/1.1\r\nhost: localhost\r\nhost: y\r\n\r\n',
  'GET /payments HTTP/1.1\r\nhost: localhost\r\nx: \0\r\n\r\n',
  `GET /payments HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
  `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
  'POST /payments HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n',
  'POST /payments HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1e3\r\n\r\n',
  'POST /payments HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999999999\r\n\r\n',
  'POST /payments HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
  'POST /payments HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  'POST /payments HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nfffffffff\r\n',
  'POST /payments HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n',
  'GET /payments HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'TRACE /payments HTTP/1.1\r\nhost: localhost\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
] as const
