import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LONGEST_RECORD_BYTES, blocksOf, recordAt, recordsOf } from '../../src/bulk/blocks.ts'
import { csvRows } from '../../src/bulk/csv.ts'
import { linesOfRows } from '../../src/bulk/line-of-row.ts'
import { collect, inPieces, someCuts } from './chunks.ts'
import { tables } from './tables.ts'

const START = { hasQuotes: true, startByte: 0, startLine: 1 }
const cutEvery = (bytes: Buffer, step: number) =>
  Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step)

describe('blocks', () => {
  test('are the input again, whatever pieces it comes in', () =>
    fc.assert(
      fc.asyncProperty(tables(','), someCuts, async ({ bytes }, cuts) => {
        const { all } = await collect(blocksOf(inPieces(bytes, cuts), START))
        expect(Buffer.concat(all.map((block) => block.bytes))).toEqual(bytes)
        let at = 0
        for (const block of all) {
          expect(block.startByte).toBe(at)
          at += block.bytes.length
        }
      }),
    ))

  test('hold whole records, each with its line', () =>
    fc.assert(
      fc.asyncProperty(tables(';'), someCuts, async ({ bytes, rows, lines }, cuts) => {
        const { all } = await collect(blocksOf(inPieces(bytes, cuts), START))
        expect(all.flatMap((block) => csvRows(block, ';').rows)).toEqual(rows)
        expect(all.flatMap((block) => linesOfRows(block, true))).toEqual(lines)
      }),
    ))

  test('are a place to go on from, with other pieces too', () =>
    fc.assert(
      fc.asyncProperty(tables('\t'), someCuts, someCuts, async ({ bytes, rows, lines }, cuts, otherCuts) => {
        const { all } = await collect(blocksOf(inPieces(bytes, cuts), START))
        let before = 0
        for (const { startByte, startLine, bytes: own } of all) {
          const rest = inPieces(bytes.subarray(startByte), otherCuts)
          const { all: again } = await collect(blocksOf(rest, { hasQuotes: true, startByte, startLine }))
          expect(again.flatMap((block) => csvRows(block, '\t').rows)).toEqual(rows.slice(before))
          expect(again.flatMap((block) => linesOfRows(block, true))).toEqual(lines.slice(before))
          before += csvRows({ bytes: own, startByte, startLine }, '\t').rows.length
        }
      }),
      { numRuns: 50 },
    ))

  test('wait for the line feed that may follow a carriage return', async () => {
    const bytes = Buffer.from('a,b\r\nc,d\r\n')
    const { all } = await collect(blocksOf(inPieces(bytes, [4]), START))
    expect(all.map((block) => [String(block.bytes), block.startLine])).toEqual([['a,b\r\nc,d\r\n', 1]])
  })

  test('of NDJSON do not look at quotes', async () => {
    const bytes = Buffer.from('{"a":"x\n"}\n{}\n')
    const options = { ...START, hasQuotes: false }
    const { all } = await collect(blocksOf(inPieces(bytes, []), options))
    expect(all.flatMap((block) => recordsOf(block, false)).map((record) => record.startLine)).toEqual([
      1, 2, 3,
    ])
  })

  test.each(['', '\n', '\r', '\r\n\r\n'])('of %j hold no row', async (text) => {
    const { all } = await collect(blocksOf(inPieces(Buffer.from(text), [1]), START))
    expect(all.flatMap((block) => linesOfRows(block, true))).toEqual([])
  })
})

describe('a record', () => {
  const longest = `a,"${'x\n'.repeat((LONGEST_RECORD_BYTES - 6) / 2)}"\n`

  test('may be longer than any piece, up to 1 MB', async () => {
    const bytes = Buffer.from(`first,row\n${longest.replace(',', ',')}last,row\n`)
    const { all, error } = await collect(blocksOf(inPieces(bytes, cutEvery(bytes, 65_536)), START))
    expect(error).toBeUndefined()
    expect(all.flatMap((block) => csvRows(block, ',').rows).map((row) => row[0])).toEqual([
      'first',
      'a',
      'last',
    ])
  })

  test.each([
    ['closed', `a,"${'x'.repeat(LONGEST_RECORD_BYTES)}"\nlast,row\n`, 'unclosed quote'],
    ['never closed', `a,"${'x\n'.repeat(LONGEST_RECORD_BYTES)}`, 'unclosed quote'],
    ['without quotes', `a,${'x'.repeat(LONGEST_RECORD_BYTES)}`, 'one record per line'],
  ])('longer than that is refused, %s, and what is before it is not lost', async (_, record, hint) => {
    const bytes = Buffer.from(`first,row\nsecond,row\n${record}`)
    for (const step of [bytes.length, 100_000, 4_096]) {
      const { all, error } = await collect(blocksOf(inPieces(bytes, cutEvery(bytes, step)), START))
      expect(Buffer.concat(all.map((block) => block.bytes)).toString()).toBe('first,row\nsecond,row\n')
      expect(error).toMatchObject({
        code: 'unusable_file',
        exitCode: 2,
        message: 'The record that starts in line 3 is longer than 1 MB',
        details: { hint: expect.stringContaining(hint) },
      })
    }
  })
})

describe('the first record', () => {
  const TOP = { byte: 0, line: 1 }
  test.each([
    ['a,b\n1,2\n', 'a,b\n', 2],
    ['a,b\r\n1,2\r\n', 'a,b\r\n', 2],
    ['a,b\r1,2\r', 'a,b\r', 2],
    ['"a\nb",c\n1,2\n', '"a\nb",c\n', 3],
    ['a,b', 'a,b', 1],
  ])('of %j is %j', (text, record, line) => {
    const first = recordAt(Buffer.from(text), TOP, true)
    expect(first?.record.bytes.toString()).toBe(record)
    expect(first?.next).toEqual({ byte: record.length, line })
  })

  test('of nothing is none', () => expect(recordAt(Buffer.alloc(0), TOP, true)).toBeUndefined())

  test('has to end within 1 MB', () => {
    const head = Buffer.alloc(LONGEST_RECORD_BYTES, 'x')
    expect(() => recordAt(head, TOP, true)).toThrow('starts in line 1 is longer than 1 MB')
  })

  test('has to do so behind another line as well', () => {
    const head = Buffer.concat([Buffer.from('sep=;\n'), Buffer.alloc(LONGEST_RECORD_BYTES - 6, 'x')])
    expect(() => recordAt(head, { byte: 6, line: 2 }, true)).toThrow('starts in line 2 is longer than 1 MB')
  })
})
