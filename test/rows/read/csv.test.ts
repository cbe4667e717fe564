import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_RECORD_BYTES, readRecords } from '../../../src/rows/read/csv.ts'
import type { Form, Place } from '../../../src/rows/read/csv.ts'
import { collect, inChunks, someCuts } from '../chunks.ts'
import { tables } from '../tables.ts'

const TOP: Place = { byte: 0, line: 1 }
const cutEvery = (bytes: Buffer, step: number) =>
  Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step)

interface ReadOptions {
  readonly form?: Form
  readonly start?: Place
  readonly cuts?: readonly number[]
}

async function read(text: string | Buffer, { form = ',', start = TOP, cuts = [] }: ReadOptions = {}) {
  const { all, error } = await collect(readRecords(inChunks(Buffer.from(text), cuts), form, start))
  expect(error).toBeUndefined()
  const records = all.flatMap((block) => block.records)
  return {
    blocks: all,
    records,
    rows: records.map(({ cells }) => cells),
    lines: records.map(({ line }) => line),
    problem: all.at(-1)?.problem,
  }
}

describe('records', () => {
  test.each([',', ';', '\t'] as const)(
    'with %j are the written ones, with their line numbers, in blocks that cover the whole input',
    (form) =>
      fc.assert(
        fc.asyncProperty(tables(form), someCuts, async ({ bytes, rows, lines }, cuts) => {
          const found = await read(bytes, { form, cuts })
          expect(found).toMatchObject({ rows, lines, problem: undefined })
          expect(Buffer.concat(found.blocks.map((block) => block.bytes))).toEqual(bytes)
          let at = 0
          for (const block of found.blocks) {
            expect(block.startByte).toBe(at)
            at += block.bytes.length
          }
        }),
        { numRuns: 40 },
      ),
  )

  test('end where the next one begins, so reading can resume there', () =>
    fc.assert(
      fc.asyncProperty(tables('\t'), someCuts, someCuts, async ({ bytes, rows, lines }, cuts, otherCuts) => {
        const { records } = await read(bytes, { form: '\t', cuts })
        for (const [index, { next }] of records.entries()) {
          const options = { form: '\t', start: next, cuts: otherCuts } as const
          const rest = await read(bytes.subarray(next.byte), options)
          expect(rest.rows).toEqual(rows.slice(index + 1))
          expect(rest.lines).toEqual(lines.slice(index + 1))
          expect(rest.records.map((record) => record.next)).toEqual(
            records.slice(index + 1).map((record) => record.next),
          )
        }
      }),
      { numRuns: 15 },
    ))

  test('end at their last byte', () =>
    fc.assert(
      fc.asyncProperty(tables(','), someCuts, async ({ bytes, rows }, cuts) => {
        const { records } = await read(bytes, { cuts })
        const pieces = records.map(({ next }, index) =>
          bytes.subarray(records[index - 1]?.next.byte ?? 0, next.byte),
        )
        const alone = pieces.map((piece) =>
          parse(piece, {
            delimiter: ',',
            relax_column_count: true,
            skip_empty_lines: true,
            record_delimiter: ['\r\n', '\n', '\r'],
          }),
        )
        expect(alone).toEqual(rows.map((row) => [row]))
        // A line break belongs to the record before it.
        for (const piece of pieces.slice(0, -1)) expect(piece.toString('latin1')).toMatch(/[\r\n]$/)
      }),
      { numRuns: 40 },
    ))

  test('wait for the line feed that may follow a carriage return', async () => {
    const { records } = await read('a,b\r\nc,d\r\n', { cuts: [4] })
    expect(records.map(({ next }) => next)).toEqual([
      { byte: 5, line: 2 },
      { byte: 10, line: 3 },
    ])
  })

  test.each<Form>([',', 'lines'])(
    'are read when their line has come, not when the next one does: %s',
    async (form) => {
      let come = 0
      const live = (async function* () {
        for (const line of ['a,b\n', 'c,d\r\n', '\n', 'e,f\n']) {
          come += 1
          yield Buffer.from(line)
        }
      })()
      const found: string[] = []
      for await (const { records } of readRecords(live, form, TOP))
        for (const { cells, line, next } of records) {
          found.push(cells.join())
          expect([line, next.line]).toEqual([come, come + 1])
        }
      expect(found).toEqual(['a,b', 'c,d', 'e,f'])
    },
  )

  test('before the end of a broken stream are read, without the one that was cut', async () => {
    const breaking = (async function* () {
      yield Buffer.from('a,b\n"c\n')
      yield Buffer.from('",d\n')
      yield Buffer.from('e,')
      throw new Error('broken')
    })()
    const { all, error } = await collect(readRecords(breaking, ',', TOP))
    expect(error).toMatchObject({ message: 'broken' })
    expect(all.flatMap(({ records }) => records.map(({ cells }) => cells))).toEqual([
      ['a', 'b'],
      ['c\n', 'd'],
    ])
  })

  test('that are lines may have quotes and commas', async () => {
    const found = await read('{"a":"x\n"},\n{}\n', { form: 'lines' })
    expect(found).toMatchObject({ rows: [['{"a":"x'], ['"},'], ['{}']], lines: [1, 2, 3] })
  })

  test.each(['', '\n', '\r', '\r\n\r\n'])('do not exist in %j', async (text) => {
    expect(await read(text, { cuts: [1] })).toMatchObject({ rows: [], problem: undefined })
  })

  test('can follow more than 1 MB of empty lines', async () => {
    const bytes = Buffer.from(`a,b\n${'\n'.repeat(2 * MAX_RECORD_BYTES + 5)}c,d\n`)
    const found = await read(bytes, { cuts: cutEvery(bytes, 100_000) })
    expect(found).toMatchObject({
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      lines: [1, 2 * MAX_RECORD_BYTES + 7],
    })
  })
})

describe('a record that cannot be read ends the input and is named by its line', () => {
  const WITHIN = 'there is a quote in the middle of an unquoted cell'
  const BEHIND = 'there is text after the closing quote of a cell'
  test.each([
    ['a quote that is never closed', 'a,b\nc,"d\ne,f\n', 'Line 2 cannot be read: a quote is never closed'],
    ['a quote within a cell', 'a,b\nc,5" pipe\nd,"e"\n', `Line 2 cannot be read: ${WITHIN}`],
    ['text behind a closing quote', 'a,b\n\n\r\n"c"d,e\n', `Line 4 cannot be read: ${BEHIND}`],
    ['behind lines within cells', '"a\r\n\r\nx",b\n"c\n"d,e\n', `Line 4 cannot be read: ${BEHIND}`],
  ])('%s', async (_, text, message) => {
    for (const step of [1, 2, 100]) {
      const { rows, problem } = await read(text, { cuts: cutEvery(Buffer.from(text), step) })
      expect(rows).toHaveLength(1)
      expect(problem).toMatchObject({ code: 'unusable_file', exitCode: 2, message })
    }
  })

  test.each([
    ['at the start', Buffer.from([0xe9, 0x2c, 0x62, 0x0a]), 0, 10],
    ['in the middle', Buffer.from('a,b\n"c\n\u00fc",d\ne,f\n', 'latin1'), 1, 12],
    ['at the end, half a sign', Buffer.concat([Buffer.from('a,b\nc,'), Buffer.from([0xe2, 0x82])]), 1, 11],
  ])('not UTF-8 %s', async (_, bytes, good, line) => {
    const start = { byte: 0, line: 10 }
    for (const step of [1, 2, 100]) {
      const { rows, problem, blocks } = await read(bytes, { start, cuts: cutEvery(bytes, step) })
      expect(rows).toHaveLength(good)
      expect(Buffer.concat(blocks.map((block) => block.bytes)).toString()).toBe(good === 0 ? '' : 'a,b\n')
      expect(problem).toMatchObject({
        code: 'unusable_file',
        message: `Line ${line} is not UTF-8`,
        details: { hint: expect.stringContaining('--encoding windows-1252') },
      })
    }
  })

  test('UTF-16 is recognized', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n', 'utf16le')])
    expect((await read(bytes)).problem).toMatchObject({
      details: { hint: expect.stringContaining('--encoding utf-16le') },
    })
  })
})

describe('a record', () => {
  const longest = `a,"${'x\n'.repeat((MAX_RECORD_BYTES - 6) / 2)}"\n`

  test('can be longer than any chunk, up to 1 MB', async () => {
    const bytes = Buffer.from(`first,row\n${longest}last,row\n`)
    const { rows, problem } = await read(bytes, { cuts: cutEvery(bytes, 65_536) })
    expect(problem).toBeUndefined()
    expect(rows.map((row) => row[0])).toEqual(['first', 'a', 'last'])
  })

  test.each([
    ['closed', `a,"${'x'.repeat(MAX_RECORD_BYTES + 1)}"\nlast,row\n`, 'unclosed quote'],
    ['never closed', `a,"${'x\n'.repeat(MAX_RECORD_BYTES)}`, 'unclosed quote'],
    ['without quotes', `a,${'x'.repeat(MAX_RECORD_BYTES + 1)}`, 'one record per line'],
  ])('that is longer is refused, %s, after the records before it', async (_, record, hint) => {
    const bytes = Buffer.from(`first,row\nsecond,row\n${record}`)
    for (const step of [bytes.length, 100_000]) {
      const { blocks, problem } = await read(bytes, { cuts: cutEvery(bytes, step) })
      const good = Buffer.concat(blocks.map((block) => block.bytes)).toString()
      expect(good === 'first,row\nsecond,row\n').toBe(true)
      expect(problem).toMatchObject({
        code: 'unusable_file',
        exitCode: 2,
        message: 'The record that starts on line 3 is longer than 1 MB',
        details: { hint: expect.stringContaining(hint) },
      })
    }
  })

  test('of only delimiters does not go on forever', async () => {
    const bytes = Buffer.alloc(MAX_RECORD_BYTES * 3, ',')
    const { problem } = await read(bytes, { cuts: cutEvery(bytes, 65_536) })
    expect(problem?.message).toBe('The record that starts on line 1 is longer than 1 MB')
  })
})
