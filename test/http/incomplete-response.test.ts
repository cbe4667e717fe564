import { describe, expect, test } from 'vitest'
import type { Scripted } from '../support/scripted-server.ts'
import { TRANSPORTS, failureOf } from '../support/transports.ts'
import { MEGABYTE, createTransportBench, get, post, serve } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { send, failureOn } = createTransportBench(create)

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
      const raw = `HTTP/1.1 200 OK\r\ncontent-length: ${65 * MEGABYTE}\r\n\r\n`
      expect(await failureOn({ raw, keepOpen: true })).toMatchObject({
        reason: 'too-large',
        sent: true,
        message: 'the response is larger than 64 MB',
      })
    })

    test('by its actual length is aborted on the way', async () => {
      expect(await failureOn({ repeatBody: { bytes: 200 * MEGABYTE } })).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })

    test('in its headers is aborted too', async () => {
      expect(
        await failureOn({ raw: `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n` }),
      ).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })
  })
})
