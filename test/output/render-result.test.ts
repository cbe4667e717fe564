import { parse as parseYaml } from 'yaml'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { renderResult } from '../../src/output/render-result.ts'
import type { OutputFormat } from '../../src/output/output-format.ts'
import { plainPaint } from '../../src/output/paint.ts'
import type { View } from '../../src/output/view.ts'

interface Shoe {
  readonly id: string
}
const one: View<Shoe> = {
  ids: ({ id }) => [id],
  csvColumns: ['id', 'amount'],
  render: ({ id }) => `Shoe ${id}`,
}
const many: View<{ readonly data: readonly Shoe[] }> = {
  ids: ({ data }) => data.map(({ id }) => id),
  itemsKey: 'data',
  csvColumns: ['id', 'amount'],
  render: ({ data }) => `${data.length} shoes`,
}
const options = { paint: plainPaint, width: 80, timeZone: undefined }

const SHOE = '{"id":"s1","10":true,"9":1.10,"amount":12345678901234567890,"box":{"size":[1,2]}}'
const SHOES = '{"data":[{"id":"s1","amount":1.0},{"id":"s2","color":"red"}],"nextCursor":null}'

const showOne = (format: OutputFormat, rawText = SHOE, query?: string) =>
  renderResult({ format, rawText, result: { id: 's1' }, view: one, query, options })
const showMany = (format: OutputFormat, query?: string) =>
  renderResult({
    format,
    rawText: SHOES,
    result: { data: [{ id: 's1' }, { id: 's2' }] },
    view: many,
    query,
    options,
  })

describe('one resource', () => {
  test.each<[OutputFormat, string]>([
    ['table', 'Shoe s1\n'],
    ['id', 's1\n'],
    [
      'json',
      '{\n  "id": "s1",\n  "10": true,\n  "9": 1.10,\n  "amount": 12345678901234567890,\n  "box": {\n    "size": [\n      1,\n      2\n    ]\n  }\n}\n',
    ],
    ['ndjson', `${SHOE}\n`],
    ['csv', 'id,amount,9,10,box.size\ns1,12345678901234567890,1.10,true,"[1,2]"\n'],
  ])('as %s', async (format, text) => {
    expect(await showOne(format)).toBe(text)
  })

  test('as yaml keeps every digit', async () => {
    const yaml = await showOne('yaml')
    expect(yaml).toContain('amount: 12345678901234567890\n')
    expect(yaml).toContain('"9": 1.10\n')
    expect(parseYaml(yaml, { intAsBigInt: true })).toMatchObject({ id: 's1', box: { size: [1n, 2n] } })
  })
})

describe('a list', () => {
  test.each<[OutputFormat, string]>([
    ['table', '2 shoes\n'],
    ['id', 's1\ns2\n'],
    ['ndjson', '{"id":"s1","amount":1.0}\n{"id":"s2","color":"red"}\n'],
    ['csv', 'id,amount\ns1,1.0\ns2,\n'],
  ])('as %s', async (format, text) => {
    expect(await showMany(format)).toBe(text)
  })

  test.each<[OutputFormat, string]>([
    ['ndjson', ''],
    ['id', ''],
    ['csv', 'id,amount\n'],
    ['json', '{\n  "data": []\n}\n'],
  ])('that is empty, as %s', async (format, text) => {
    const request = { format, rawText: '{"data":[]}', result: { data: [] }, view: many, options }
    expect(await renderResult(request)).toBe(text)
  })
})

describe('a query', () => {
  test.each<[OutputFormat, string, string]>([
    ['table', 'data[].id', '[\n  "s1",\n  "s2"\n]\n'],
    ['json', 'data[0].id', '"s1"\n'],
    ['json', 'data[?amount==`1`].id | [0]', '"s1"\n'],
    ['json', 'nothing', 'null\n'],
    ['json', 'constructor', 'null\n'],
    ['json', '__proto__', 'null\n'],
    ['ndjson', 'data[].id', '"s1"\n"s2"\n'],
    ['yaml', 'data[].id', '- s1\n- s2\n'],
    ['csv', 'data[].{name: id}', 'name\ns1\ns2\n'],
    ['csv', 'data[].id', 'value\ns1\ns2\n'],
    ['csv', 'data[].[id, amount]', 'value1,value2\ns1,1\ns2,\n'],
    ['id', 'data[].id', 's1\ns2\n'],
    ['id', 'nothing', ''],
    ['id', 'data[0].amount', '1\n'],
  ])('as %s: %s', async (format, query, text) => {
    expect(await showMany(format, query)).toBe(text)
  })

  test('keeps every digit of selected numbers', async () => {
    expect(await showOne('json', SHOE, "{a: amount, text: join('-', [amount, id])}")).toBe(
      '{\n  "a": 12345678901234567890,\n  "text": "12345678901234567890-s1"\n}\n',
    )
  })

  test.each([
    ['data[', 'is invalid: it ends too early'],
    ['data]x', 'unexpected "]", at column 5'],
    ['data # x', 'unknown character: #, at column 6'],
    ['', 'it ends too early'],
    ['data[0].[id', 'it ends too early'],
    ['a == b == "c', 'is invalid: unexpected end of JSON input, at column 11'],
    ['nope(data)', 'Unknown function: nope()'],
    ['abs(data)', 'abs() expected argument 1 to be type (number)'],
  ])('that is invalid is a usage error: %j', async (query, words) => {
    const failure = showMany('json', query)
    await expect(failure).rejects.toThrow(UsageError)
    await expect(failure).rejects.toThrow(words)
  })

  test('reads a response with a duplicate key', async () => {
    expect(await showOne('json', '{"a":1,"a":2}', 'a')).toBe('2\n')
  })
})

describe('a response that does not match its schema', () => {
  test.each<OutputFormat>(['table', 'id'])('is printed as JSON by %s', async (format) => {
    const request = { format, rawText: '{"id":7}', result: undefined, view: one, options }
    expect(await renderResult(request)).toBe('{\n  "id": 7\n}\n')
  })

  test('is printed as JSON if the view shows no field', async () => {
    const view = { ...one, render: () => '' }
    const request = { format: 'table', rawText: '{"x":1}', result: { id: '' }, view, options } as const
    expect(await renderResult(request)).toBe('{\n  "x": 1\n}\n')
  })

  test.each<OutputFormat>(['table', 'json', 'ndjson', 'yaml', 'csv', 'id'])(
    'is printed safely escaped if it is not JSON: %s',
    async (format) => {
      expect(await showOne(format, '<html>\u001B[2J\n</html>')).toBe('<html>\\u001b[2J\n</html>\n')
    },
  )

  test.each<OutputFormat>(['table', 'json', 'yaml', 'csv'])(
    'prints nothing if it is empty: %s',
    async (format) => {
      expect(await showOne(format, '')).toBe('')
    },
  )
})

describe('text that would control a terminal', () => {
  const EVIL = JSON.stringify({
    id: 's1',
    no: 'NO',
    name: '\u009B2J\u202E',
    '\u200B': '=1+1',
    n: -5,
    f: '-5',
  })

  test.each<OutputFormat>(['json', 'ndjson', 'yaml', 'csv'])('is escaped in %s', async (format) => {
    expect(await showOne(format, EVIL)).not.toMatch(/[\p{Cf}\u0080-\u009F]/u)
  })

  test('has the same value in JSON and YAML', async () => {
    expect(JSON.parse(await showOne('json', EVIL))).toEqual(JSON.parse(EVIL))
    expect(parseYaml(await showOne('yaml', EVIL))).toEqual(JSON.parse(EVIL))
  })

  test('is quoted in YAML if YAML 1.1 would read a boolean', async () => {
    expect(await showOne('yaml', EVIL)).toContain('"no": "NO"')
  })

  test('is not a formula in CSV, and negative numbers are unchanged', async () => {
    expect(await showOne('csv', EVIL)).toContain("'=1+1,-5,'-5")
  })

  test('is escaped in ids', async () => {
    const request = { format: 'id', rawText: '{}', result: { id: 'a\u001Bb' }, view: one, options } as const
    expect(await renderResult(request)).toBe('a\\u001bb\n')
  })
})
