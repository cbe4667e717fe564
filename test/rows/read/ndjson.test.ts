import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import { readNdjson } from '../../../src/rows/read/ndjson.ts'
import { RECORD } from '../../../src/rows/import/record-fields.ts'
import { collect, inChunks, someCuts } from '../chunks.ts'
import { GOOD, MAJOR, MINOR, lineOf, rowsOf, sourceOf } from './ndjson-bench.ts'

/** Reads the text as an input. */
async function read(text: string | Buffer, options: Parameters<typeof sourceOf>[0] = {}) {
  const { records, rowOf, start } = sourceOf(options)
  const { all } = await collect(records([Buffer.from(text)], start))
  return {
    rows: all.flatMap((block) => block.records.map(({ cells }) => rowOf(cells))),
    problem: all.at(-1)?.problem,
  }
}

describe('lines', () => {
  test.each(['\n', '\r\n', '\n\n', '\r'])('end in %j', async (end) =>
    expect(
      await read([lineOf({}).trim(), lineOf({ paymentId: 'ext-2' }).trim(), ''].join(end)),
    ).toMatchObject({
      rows: [{ id: 'ext-1', prepared: { body: GOOD } }, { id: 'ext-2' }],
      problem: undefined,
    }),
  )

  test('are the same rows with the same line numbers in chunks of any size', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', '\n\n'))),
        someCuts,
        async (lines, cuts) => {
          const bytes = Buffer.from(lines.map(([text, end]) => `${JSON.stringify({ text })}${end}`).join(''))
          const { records, rowOf, start } = sourceOf()
          const { all } = await collect(records(inChunks(bytes, cuts), start))
          const found = all.flatMap((block) => block.records)
          expect(found.map(({ cells }) => rowOf(cells).cells[0])).toEqual(
            lines.map(([text]) => JSON.stringify({ text })),
          )
          const wanted = lines.map(
            (_, index) =>
              1 + lines.slice(0, index).reduce((sum, [, end]) => sum + end.split('\n').length - 1, 0),
          )
          expect(found.map(({ line }) => line)).toEqual(wanted)
        },
      ),
    ))

  test.each([
    ['{"paymentId":', 'is not JSON: '],
    ['not json', 'is not JSON: '],
    [' ', 'is not JSON: '],
    ['{"amount":1,"amount":2}', 'is not JSON: Key "amount" is given twice'],
    ['[1]', 'is not a JSON object'],
    ['"x"', 'is not a JSON object'],
    ['12345678901234567890.5', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
  ])('that are not a record are bad rows: %s', (text, kind) => {
    const rows = rowsOf(`${lineOf({})}${text}\n${lineOf({})}`)
    expect(rows.map(({ prepared }) => prepared !== undefined)).toEqual([true, false, true])
    expect(rows[1]).toMatchObject({
      problems: [{ column: undefined, value: text, kind: expect.stringContaining(kind) }],
    })
    expect(rows[1]?.problems[0]?.kind).not.toContain('line 1')
  })

  test('that are not UTF-8 end the file after the rows before them', async () => {
    const bytes = Buffer.concat([
      Buffer.from(lineOf({})),
      Buffer.from([0x22, 0xe9, 0x22, 0x0a]),
      Buffer.from(lineOf({})),
    ])
    const { rows, problem } = await read(bytes)
    expect(rows).toHaveLength(1)
    expect(problem).toMatchObject({ code: 'unusable_file', message: 'Line 2 is not UTF-8' })
  })

  test('can begin with a byte order mark', async () =>
    expect((await read(`\uFEFF${lineOf({})}`)).rows).toMatchObject([{ id: 'ext-1' }]))
})

describe('constants', () => {
  test('are set in every record', () =>
    expect(
      rowsOf(lineOf({}), {
        options: MAJOR,
        constants: { 'processor.merchantId': 'm', currencyCode: 'KWD', amount: '1.5' },
      }),
    ).toMatchObject([
      {
        prepared: {
          body: { processor: { name: 'ACME', merchantId: 'm' }, currencyCode: 'KWD', amount: 1500 },
        },
      },
    ]))

  test('do not replace a value of another type', () =>
    expect(rowsOf(lineOf({ processor: 'ACME' }), { constants: { 'processor.name': 'X' } })).toMatchObject([
      { problems: [{ column: 'processor', value: 'ACME', kind: 'must be an object' }] },
    ]))

  test('that are not valid are refused before the first record', () =>
    expect(() => sourceOf({ constants: { currencyCode: 'EURO' } })).toThrow(
      expect.objectContaining({ code: 'bad_value', exitCode: 2 }),
    ))

  test('for unknown fields are refused before the first record', () =>
    expect(() => sourceOf({ constants: { statsu: 'SETTLED' } })).toThrow(
      'statsu: is not a field of a record; did you mean "status"?',
    ))
})

test('columns cannot be mapped', () =>
  expect(() =>
    readNdjson(RECORD, {
      mapping: { columns: new Map([['amount', 'total']]), constants: new Map() },
      cells: MINOR,
      check: () => ({ problems: [], warnings: [] }),
      rowWarnings: createRowWarnings(),
    }),
  ).toThrow('--map names columns'))

describe('rejects', () => {
  const { rejects } = sourceOf()

  test('are records with the reason, which can be imported again', () => {
    const line = rejects.line([lineOf({ amount: 'x' }).trim()], 'no amount')
    expect(JSON.parse(line)).toEqual({ ...GOOD, amount: 'x', reason: 'no amount' })
    const corrected = line.replace('"x"', '5')
    expect(rowsOf(corrected)).toMatchObject([{ prepared: { body: { amount: 5 } } }])
    expect(rowsOf(corrected)[0]?.prepared?.body).not.toHaveProperty('reason')
    expect(JSON.parse(rejects.line([line.trim()], 'again'))).toMatchObject({ reason: 'again' })
  })

  test('keep every digit', () =>
    expect(rejects.line(['{"amount":1.10,"x":12345678901234567890}'], 'r')).toBe(
      '{"amount":1.10,"x":12345678901234567890,"reason":"r"}\n',
    ))

  test('that are not records stay as they are', () => expect(rejects.line(['{"a":'], 'r')).toBe('{"a":\n'))
})
