import { describe, expect, test } from 'vitest'
import { plainPaint, wordsPaint } from '../../src/output/paint.ts'
import { renderIndentedDetails } from '../../src/output/details.ts'
import { wrapWords } from '../../src/output/wrap.ts'

test.each<[string, string, number | undefined, readonly string[]]>([
  ['stay on one line in a pipe', 'one two three', undefined, ['one two three']],
  ['stay on one line if they fit', 'one two', 7, ['one two']],
  ['move to the next line whole', 'one two three', 8, ['one two', 'three']],
  ['that are too long for a line stay whole', 'a abcdefghij b', 5, ['a', 'abcdefghij', 'b']],
  ['keep an amount with its currency', 'all 5.00 EUR of it', 9, ['all', '5.00 EUR', 'of it']],
  ['keep a mark with its status', 'it is ✗ Declined now', 9, ['it is', '✗ Declined', 'now']],
  ['keep the digits of a card', 'with VISA •••• 1111', 14, ['with VISA', '•••• 1111']],
  ['count wide characters twice', '日本 日本', 8, ['日本', '日本']],
  ['that are empty make one line', '', 5, ['']],
  ['keep their line breaks', 'one two\n\nthree', 4, ['one', 'two', '', 'three']],
  ['that are indented stay whole', 'run it:\n  pay whoami --json', 8, ['run it:', '  pay whoami --json']],
  ['do not count paint as width', '\u001B[31mone two\u001B[39m', 7, ['\u001B[31mone two\u001B[39m']],
])('words: %s', (_, text, width, lines) => {
  expect(wrapWords(text, width)).toEqual(lines)
})

describe('labelled details', () => {
  const ENTRIES = [
    { label: 'Reason', text: 'not enough money on the account' },
    { label: 'Again', text: 'yes', tone: 'good' },
    { label: 'Nothing', text: undefined },
  ] as const

  test('are aligned next to their labels', () => {
    expect(renderIndentedDetails(ENTRIES, { paint: plainPaint, width: 36 })).toEqual([
      '  Reason  not enough money on the',
      '          account',
      '  Again   yes',
    ])
  })

  test('are below their labels if there is no room', () => {
    expect(renderIndentedDetails(ENTRIES, { paint: plainPaint, width: 30 })).toEqual([
      '  Reason',
      '    not enough money on the',
      '    account',
      '  Again',
      '    yes',
    ])
  })

  test('do not wrap in a pipe', () => {
    expect(renderIndentedDetails(ENTRIES, { paint: plainPaint, width: undefined })).toHaveLength(2)
  })

  test('do not count paint as width', () => {
    expect(renderIndentedDetails(ENTRIES, { paint: wordsPaint, width: 80 })).toEqual([
      '  dim(Reason)  not enough money on the account',
      '  dim(Again)   good(yes)',
    ])
  })
})
