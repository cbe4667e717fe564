import { describe, expect, test } from 'vitest'
import {
  quoteForBash,
  quoteForPowerShell,
  readBashLine,
  unquoted,
} from '../../../src/cli/completion/shell-words.ts'

const BREAKS = ' \t\n"\'@><=;|&(:'

describe('readBashLine', () => {
  test.each([
    ['pay ', { before: [], current: '', prefixLength: 0, quote: undefined }],
    ['pay pay', { before: [], current: 'pay', prefixLength: 0, quote: undefined }],
    ['pay  payment\tget ', { before: ['payment', 'get'], current: '', prefixLength: 0, quote: undefined }],
    ['A=1 B= pay payment g', { before: ['payment'], current: 'g', prefixLength: 0, quote: undefined }],
    ["pay x 'two words' ", { before: ['x', 'two words'], current: '', prefixLength: 0, quote: undefined }],
    ['pay x two\\ wor', { before: ['x'], current: 'two wor', prefixLength: 0, quote: undefined }],
    ['pay x "a \\"b\\" c', { before: ['x'], current: 'a "b" c', prefixLength: 0, quote: '"' }],
    ["pay x 'a\\b", { before: ['x'], current: 'a\\b', prefixLength: 0, quote: "'" }],
    ['pay x ""  ', { before: ['x', ''], current: '', prefixLength: 0, quote: undefined }],
    ['pay --output=js', { before: [], current: '--output=js', prefixLength: 9, quote: undefined }],
    ['pay --output="js', { before: [], current: '--output=js', prefixLength: 9, quote: '"' }],
    ['pay x a:b', { before: ['x'], current: 'a:b', prefixLength: 2, quote: undefined }],
    ['pay x a\\:b', { before: ['x'], current: 'a:b', prefixLength: 0, quote: undefined }],
    ['pay x a@b', { before: ['x'], current: 'a@b', prefixLength: 1, quote: undefined }],
    ['pay x $(rm', { before: ['x'], current: '$(rm', prefixLength: 2, quote: undefined }],
  ] as const)('%j', (line, read) => {
    expect(readBashLine(line, BREAKS)).toEqual(read)
  })

  test('without word breaks in COMP_WORDBREAKS the word stays whole', () => {
    expect(readBashLine('pay --output=js', ' \t\n')).toMatchObject({
      current: '--output=js',
      prefixLength: 0,
    })
  })
})

test.each([
  ['plain-1.2_x', undefined, 'plain-1.2_x'],
  ['two words', undefined, 'two\\ words'],
  ['$(x)`y`', undefined, '\\$\\(x\\)\\`y\\`'],
  ["it's", undefined, "it\\'s"],
  ['Müller', undefined, 'Müller'],
  ['$a"b`', '"', '\\$a\\"b\\`'],
  ["it's", '"', "it's"],
  ['now!', '"', undefined],
  ['$a "b"', "'", '$a "b"'],
  ["it's", "'", undefined],
] as const)('quoteForBash: %j inside %s', (text, quote, quoted) => {
  expect(quoteForBash(text, quote)).toBe(quoted)
})

test.each([
  ['json', 'json'],
  ['a b', "'a b'"],
  ["it's", "'it''s'"],
  ['A,B', "'A,B'"],
  ['$x', "'$x'"],
  ['@x', "'@x'"],
  ['a\u2019b', "'a\u2019\u2019b'"],
])('quotes %j for PowerShell as %s', (text, quoted) => {
  expect(quoteForPowerShell(text)).toBe(quoted)
})

test.each([
  ['"two wo', 'two wo'],
  ['two\\ wo', 'two wo'],
  ['', ''],
])('reads %j as %j', (typed, word) => {
  expect(unquoted(typed)).toBe(word)
})
