import * as fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { decodeInput } from '../../../src/rows/read/decode.ts'
import type { EncodingName } from '../../../src/rows/read/encodings.ts'
import type { Input } from '../../../src/rows/read/input.ts'
import { inChunks } from '../chunks.ts'

function inputOf(bytes: Buffer, cuts: readonly number[] = []): Input {
  return {
    head: bytes,
    size: bytes.length,
    textSize: bytes.length,
    isCompressed: false,
    isSlow: false,
    bytesRead: () => bytes.length,
    ahead: (byte) => [bytes.subarray(byte)],
    from: async function* (byte) {
      yield* inChunks(bytes.subarray(byte), cuts)
    },
  }
}

/** The text from a byte on, and the error that ended it. */
async function readFrom(input: Input, byte = 0) {
  const parts: Uint8Array[] = []
  try {
    for await (const chunk of input.from(byte)) parts.push(Buffer.from(chunk))
    return { text: Buffer.concat(parts).toString(), error: undefined }
  } catch (error) {
    return { text: Buffer.concat(parts).toString(), error }
  }
}

const TEXTS: readonly (readonly [EncodingName, string])[] = [
  ['windows-1252', 'paymentId,Währung\r\n1,€ “Müller” – café\r\n'],
  ['ISO-8859-15', 'a,b\n1,€ Žluť\n'.replace('ť', 't')],
  ['UTF-16LE', 'a\tb\r\n😀\t€ 漢字\r\n'],
  ['UTF-16BE', 'a\tb\r\n😀\t€ 漢字\r\n'],
  ['Shift_JIS', '注文,金額\r\nソース表,¥100\r\n'.replace('¥', '￥')],
  ['EUC-KR', '주문,금액\n1,한국어\n'],
  ['GBK', '订单,金额\n鞋,1\n'],
  ['EUC-JP', '注文,金額\n髙橋は丂,1\n'.replace('髙', '高')],
  ['Big5', '訂單,金額\n鞋,1\n'],
]

describe('text in an encoding', () => {
  test.each(TEXTS)('%s is read across any borders of chunks', async (encoding, text) => {
    const bytes = iconv.encode(text, encoding)
    const property = fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
      const { input } = await decodeInput(inputOf(bytes, cuts), encoding)
      expect(await readFrom(input)).toEqual({ text, error: undefined })
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('is skipped by the bytes of its UTF-8', async () => {
    const bytes = iconv.encode('é€\nzwölf\n', 'windows-1252')
    const { input } = await decodeInput(inputOf(bytes, [1, 3]), 'windows-1252')
    expect(await readFrom(input, Buffer.byteLength('é€\n'))).toMatchObject({ text: 'zwölf\n' })
  })

  test('has the size of its UTF-8, about', async () => {
    const bytes = iconv.encode('abcd', 'UTF-16LE')
    expect((await decodeInput(inputOf(bytes), 'UTF-16LE')).input).toMatchObject({ size: 8, textSize: 4 })
  })

  test('in UTF-8 is left as it is', async () => {
    const raw = inputOf(Buffer.from('é'))
    expect(await decodeInput(raw, undefined)).toEqual({ input: raw, encoding: 'UTF-8', hasMark: false })
    expect(await decodeInput(raw, 'UTF-8')).toEqual({ input: raw, encoding: 'UTF-8', hasMark: false })
  })
})

describe('a byte order mark', () => {
  test.each([
    ['UTF-16LE', '\uFEFFa,b\n'],
    ['UTF-16BE', '\uFEFFa,b\n'],
  ] as const)('of %s decides, and is not part of the text', async (name, text) => {
    const bytes = iconv.encode(text, name)
    for (const named of [undefined, name]) {
      const { input, encoding } = await decodeInput(inputOf(bytes, [1, 2, 3]), named)
      expect(encoding).toBe(name)
      expect(input.head.toString()).toBe('a,b\n')
      expect(await readFrom(input)).toMatchObject({ text: 'a,b\n' })
    }
  })

  test.each([
    ['efbbbf61', 'windows-1252', 'UTF-8', '--encoding utf-8'],
    ['fffe6100', 'windows-1252', 'UTF-16LE', '--encoding utf-16le'],
    ['fffe6100', 'UTF-8', 'UTF-16LE', '--encoding utf-16le'],
    ['feff0061', 'UTF-16LE', 'UTF-16BE', '--encoding utf-16be'],
  ] as const)('%s contradicts %s', async (hex, named, marked, hint) => {
    await expect(decodeInput(inputOf(Buffer.from(hex, 'hex')), named)).rejects.toMatchObject({
      code: 'unusable_file',
      message: `The encoding is given as ${named}, but the byte order mark of the file says ${marked}`,
      details: { hint: expect.stringContaining(hint) },
    })
  })

  test.each(['fffe000061000000', '0000feff00000061'])('of UTF-32 is refused: %s', async (hex) =>
    expect(decodeInput(inputOf(Buffer.from(hex, 'hex')), undefined)).rejects.toMatchObject({
      message: 'The file is UTF-32, which cannot be read',
    }),
  )
})

describe('bytes that are not valid', () => {
  test.each([
    ['windows-1252', Buffer.from('a\r\nb\r\nc\x81d\r\ne\r\n', 'latin1'), 3, 'a\r\nb\r\n'],
    ['windows-1252', Buffer.from('a\rb\rc\x81d\r', 'latin1'), 3, ''],
    ['UTF-16LE', Buffer.from('a\nb\n\uD800c\n', 'utf16le'), 3, 'a\nb\n'],
    ['UTF-16LE', Buffer.from('a\nb\n\uDC00c\n', 'utf16le'), 3, 'a\nb\n'],
    ['UTF-16LE', Buffer.concat([Buffer.from('a\nb', 'utf16le'), Buffer.from('c')]), 2, 'a\n'],
    ['Shift_JIS', Buffer.from('a\nb\xFFc\n', 'latin1'), 2, 'a\n'],
    ['EUC-KR', Buffer.from('a\n\xB0', 'latin1'), 2, 'a\n'],
  ] as const)('%s: %j end the text, with their line', async (name, bytes, line, text) => {
    for (const cuts of [[], [1, 3, 4, 5, 7]]) {
      const { input } = await decodeInput(inputOf(bytes, cuts), name)
      const read = await readFrom(input)
      expect(read).toMatchObject({ error: { message: `Line ${line} has bytes that are not ${name}` } })
      expect(text.startsWith(read.text) || read.text.startsWith(text)).toBe(true)
    }
  })

  test.each([
    ['windows-1252', 'Währung\n'],
    ['ISO-8859-15', `${'x'.repeat(10)}é`],
  ] as const)('%s: UTF-8 with letters beyond ASCII is refused, even if it is cut', async (name, text) => {
    const whole = Buffer.from(text)
    for (const bytes of [whole, Buffer.concat([whole, Buffer.from('é').subarray(0, 1)])])
      await expect(decodeInput(inputOf(bytes), name)).rejects.toMatchObject({
        message: `The encoding is given as ${name}, but the file is UTF-8`,
      })
  })

  test('UTF-8 is refused even if its first letters beyond ASCII come late', async () => {
    const bytes = Buffer.from('a\nb\nWährung\n')
    const raw = inputOf(bytes, [4])
    const { input } = await decodeInput({ ...raw, head: bytes.subarray(0, 4) }, 'windows-1252')
    expect(await readFrom(input)).toMatchObject({
      text: 'a\nb\n',
      error: { message: 'The encoding is given as windows-1252, but the file is UTF-8' },
    })
  })
})
