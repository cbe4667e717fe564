import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { ENCODING_NAMES, encodingLabels, encodingOf, isSingleByte } from '../../../src/rows/read/encodings.ts'

describe('labels', () => {
  test.each([
    ['utf-8', 'UTF-8'],
    ['UTF8', 'UTF-8'],
    ['Windows-1252', 'windows-1252'],
    ['iso-8859-1', 'windows-1252'],
    ['latin1', 'windows-1252'],
    ['iso-8859-15', 'ISO-8859-15'],
    ['utf-16', 'UTF-16LE'],
    [' utf-16be ', 'UTF-16BE'],
    ['sjis', 'Shift_JIS'],
  ])('%s is %s', (label, name) => expect(encodingOf(label)).toBe(name))

  test.each(['', 'cp-1252', 'utf-7', 'replacement', 'constructor'])('%j is none', (label) =>
    expect(encodingOf(label)).toBeUndefined(),
  )

  test('are those of the standard, as Node knows them', () => {
    const ours = encodingLabels().map((label) => [label, encodingOf(label)?.toLowerCase()])
    // Node leaves two of them out.
    const known = ours.filter(([label = '']) => !['iso-8859-16', 'unicode20utf8'].includes(label))
    expect(known.map(([label]) => [label, new TextDecoder(label).encoding])).toEqual(known)
  })
})

describe('every encoding has a codec that agrees with Node', () => {
  // Node 20.18.3 to 24 decode windows-1252 as Latin-1.
  const others = ENCODING_NAMES.filter((name) => !/^(?:UTF|windows-1252|ISO-8859-8-I|ISO-8859-16)/.test(name))
  test.each(others)('%s', (name) => {
    expect(iconv.encodingExists(name)).toBe(true)
    const decoder = new TextDecoder(name, { fatal: true })
    const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]))
    const odd = bytes.filter((byte) => {
      const text = iconv.decode(byte, name)
      // Ours may be stricter, or know a byte that Node's does not; where both know it, they agree.
      try {
        return !/[\uFFFD\u0000-\u001F\u007F-\u009F\uE000-\uF8FF]/.test(text) && decoder.decode(byte) !== text
      } catch {
        return false
      }
    })
    expect(odd.map((byte) => byte.toString('hex'))).toEqual([])
  })

  test('windows-1252', () => {
    expect(iconv.decode(Buffer.from('80929699e9ff', 'hex'), 'windows-1252')).toBe('€’–™éÿ')
    expect(iconv.decode(Buffer.from('818d8f909d', 'hex'), 'windows-1252')).toBe('\uFFFD'.repeat(5))
  })
})

test('those of East Asia and Unicode have characters of several bytes', () => {
  expect(isSingleByte('windows-1251')).toBe(true)
  expect(isSingleByte('Shift_JIS')).toBe(false)
})
