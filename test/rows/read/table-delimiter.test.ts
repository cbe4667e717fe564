import { describe, expect, test } from 'vitest'
import { isDelimiter, readHeader } from '../../../src/rows/read/table.ts'

const headerOf = (text: string, named?: string) =>
  readHeader(Buffer.from(text), 'Add a header.', { delimiter: named })

describe('a delimiter that is named', () => {
  test.each([
    ['|', 'paymentId|amount\n', ['paymentId', 'amount']],
    [';', 'a,b,c;d\n', ['a,b,c', 'd']],
    ['\t', 'sep=\t\na\tb,c\n', ['a', 'b,c']],
    [',', 'paymentId\n', ['paymentId']],
  ])('%j divides the header', (delimiter, text, names) =>
    expect(headerOf(text, delimiter)).toMatchObject({ names, delimiter }),
  )

  test('is refused if the header is divided by another', () =>
    expect(() => headerOf('paymentId;amount\n', ',')).toThrow(
      expect.objectContaining({
        message: 'The header is not separated by ","',
        details: expect.objectContaining({ hint: 'It has several cells with --delimiter ";"' }),
      }),
    ))

  test('is refused if the first line declares another', () =>
    expect(() => headerOf('sep=;\na;b\n', '\t')).toThrow(
      'The first line says that ";" separates the columns, but --delimiter says tab',
    ))
})

describe('a delimiter that is not named', () => {
  test('may be declared by the first line', () =>
    expect(headerOf('sep=|\na|b\n')).toMatchObject({ names: ['a', 'b'], delimiter: '|' }))

  test.each([
    ['a|b\n', ['a', 'b'], '|'],
    ['a|b,c\n', ['a|b', 'c'], ','],
  ])('is found: %j', (text, names, delimiter) => expect(headerOf(text)).toMatchObject({ names, delimiter }))

  test.each([
    ['a;b,c\n', 'The header may be separated by "," or ";"', 'Name the delimiter: --delimiter ","'],
    ['a;b\tc\n', 'The header may be separated by ";" or tab', 'Name the delimiter: --delimiter ";"'],
  ])('is not guessed if two are equally likely: %j', (text, message, hint) =>
    expect(() => headerOf(text)).toThrow(
      expect.objectContaining({ message, details: expect.objectContaining({ hint }) }),
    ),
  )
})

test.each([';', ',', '|', '\t', ':', '~', '^', '#'])('%j can separate cells', (text) =>
  expect(isDelimiter(text)).toBe(true),
)
test.each(['', ';;', '"', "'", 'a', '7', '_', '.', '-', '+', '\\', ' ', '\n', '\r', '§', 'tab'])(
  '%j cannot separate cells',
  (text) => expect(isDelimiter(text)).toBe(false),
)

describe('lines before the header', () => {
  test.each([
    ['Report of May\n\na,b\n', 2, { byte: 19, line: 4 }],
    ['\uFEFFReport\r\na,b\r\n', 1, { byte: 16, line: 3 }],
    ['"one\na,b\n', 1, { byte: 9, line: 3 }],
    ['a,b\n', 0, { byte: 4, line: 2 }],
  ])('%j: %i are skipped', (text, skipLines, start) =>
    expect(readHeader(Buffer.from(text), '', { skipLines })).toEqual({
      names: ['a', 'b'],
      delimiter: ',',
      form: ',',
      start,
    }),
  )

  test.each([1, 2])('are too many if no line is left: %i', (skipLines) =>
    expect(() => readHeader(Buffer.from('a,b\n'), '', { skipLines })).toThrow(
      `The file has no line after the first ${skipLines}`,
    ),
  )
})
