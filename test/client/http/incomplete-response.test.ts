import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Scripted } from '../../support/scripted-server.ts'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'
import { MEGABYTE, createTransportBench, get, post, serve } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { send, responseTo, failureOn } = createTransportBench(create)

  describe('an incomplete response', () => {
    const chunkHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    test.each<[string, Scripted]>([
      ['nothing at all', { drop: 'before' }],
      ['nothing, and a reset', { drop: 'before', reset: true }],
      ['its headers alone', { drop: 'after-headers', body: { id: 'p' } }],
      ['half of its body', { drop: 'mid-body', body: { id: 'p', status: 'SETTLED' } }],
      [
        'half of its body, and a reset',
        { drop: 'mid-body', reset: true, body: { id: 'p', status: 'SETTLED' } },
      ],
      ['a length it does not keep', { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"a":1}' }],
      ['headers that stop', { raw: 'HTTP/1.1 200 OK\r\ncontent-le' }],
      ['a chunk that stops', { raw: `${chunkHead}10\r\n{"a"` }],
      ['no last chunk', { raw: `${chunkHead}7\r\n{"a":1}\r\n` }],
      ['a chunk of no length', { raw: `${chunkHead}zz\r\n{"a":1}\r\n0\r\n\r\n` }],
      ['something that is not HTTP', { raw: '220 mail.example.com ESMTP\r\n' }],
      [
        'a switch of protocols',
        { raw: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n' },
      ],
    ])('%s: cut, and the request counts as sent', async (_, scripted) => {
      expect(await failureOn(scripted)).toMatchObject({ reason: 'cut', sent: true })
    })

    test('is never requested again automatically, not even for a read', async () => {
      for (const request of [post, get]) {
        const server = await serve(() => ({ drop: 'before' }))
        await failureOf(send(request(server.url)))
        expect(server.requests).toHaveLength(1)
      }
    })
  })

  describe('a response that is too large', () => {
    test('by its declared length is aborted before its body arrives', async () => {
      const raw = `HTTP/1.1 200 OK\r\ncontent-length: ${8 * MEGABYTE + 1}\r\n\r\n`
      expect(await failureOn({ raw, keepOpen: true })).toMatchObject({
        reason: 'too-large',
        sent: true,
        message: 'the response is larger than 8 MB',
      })
    })

    test('by its actual length is aborted on the way', async () => {
      expect(await failureOn({ repeatBody: { bytes: 8 * MEGABYTE + 1 } })).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })

    test.each([400, 404, 409, 429, 499])('still refuses with its status: %i', async (status) => {
      const declared = `HTTP/1.1 ${status} No\r\nretry-after: 7\r\ncontent-length: ${65 * MEGABYTE}\r\n\r\n`
      const refusal = { status, headers: { 'retry-after': '7' }, body: '' }
      expect(await responseTo({ raw: declared, keepOpen: true })).toMatchObject(refusal)
      expect(
        await responseTo({ status, headers: { 'retry-after': '7' }, body: Buffer.alloc(9 * MEGABYTE, 'x') }),
      ).toMatchObject(refusal)
      const bomb = gzipSync(Buffer.alloc(9 * MEGABYTE))
      const headers = { 'retry-after': '7', 'content-encoding': 'gzip' }
      expect(await responseTo({ status, headers, body: bomb })).toMatchObject(refusal)
    })

    test.each([200, 301, 500, 503])('is no response with any other status: %i', async (status) => {
      expect(await failureOn({ status, body: Buffer.alloc(9 * MEGABYTE, 'x') })).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })

    test('without a length refuses with its status too', async () => {
      const raw = `HTTP/1.1 403 No\r\ncontent-type: application/json\r\n\r\n${'x'.repeat(9 * MEGABYTE)}`
      expect(await responseTo({ raw })).toEqual({
        status: 403,
        headers: { 'content-type': 'application/json' },
        body: '',
      })
    })

    test('in its headers is aborted too', async () => {
      expect(
        await failureOn({ raw: `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n` }),
      ).toMatchObject({ reason: 'too-large', sent: true })
    })
  })
})
