import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'
import { MEGABYTE, createTransportBench, post, serve } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { open, responseTo, failureOn } = createTransportBench(create)

  describe('an unrequested compressed response', () => {
    const text = JSON.stringify({ id: 'pay_1', list: Array.from({ length: 100 }, (_, index) => index) })
    test.each([
      ['gzip', gzipSync(text)],
      ['x-gzip', gzipSync(text)],
      ['GZIP', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['deflate', deflateSync(text)],
      ['deflate', deflateRawSync(text)],
      ['identity', Buffer.from(text)],
      ['gzip, br', brotliCompressSync(gzipSync(text))],
    ])('%s is decoded', async (coding, body) => {
      expect((await responseTo({ headers: { 'content-encoding': coding }, body })).body).toBe(text)
    })

    test('may be empty', async () => {
      expect((await responseTo({ headers: { 'content-encoding': 'gzip' } })).body).toBe('')
    })

    test('that decompresses beyond the limit is aborted', async () => {
      const body = gzipSync(Buffer.alloc(8 * MEGABYTE + 1))
      expect(body.length).toBeLessThan(MEGABYTE)
      expect(await failureOn({ headers: { 'content-encoding': 'gzip' }, body })).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })

    test.each([
      ['of an unknown kind', 'zstd', Buffer.from('x')],
      ['stacked beyond reason', 'br, br, br, br', Buffer.from('x')],
      ['that is broken', 'gzip', Buffer.from('no gzip')],
      ['that stops early', 'gzip', gzipSync(text).subarray(0, 20)],
    ])('%s is not a response', async (_, coding, body) => {
      expect(await failureOn({ headers: { 'content-encoding': coding }, body })).toMatchObject({
        reason: 'cut',
        sent: true,
        message: 'the response is compressed and cannot be decoded (content-encoding)',
      })
    })
  })

  test('a response that cannot be decoded fails only its own request', async () => {
    const server = await serve((_request, index) =>
      index === 0 ? { headers: { 'content-encoding': 'gzip' }, body: 'junk' } : { body: 'x', delayMs: 50 },
    )
    const transport = open()
    const first = failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))
    await server.arrived(1)
    const others = [1, 2].map(() => transport.send(post(server.url), { timeoutMs: 20_000 }))
    expect(await first).toMatchObject({ reason: 'cut', sent: true })
    expect(await Promise.all(others)).toMatchObject([{ body: 'x' }, { body: 'x' }])
  })
})
