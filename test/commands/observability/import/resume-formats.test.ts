import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { readTable } from '../../../support/import-bench.ts'
import { okay, useImportBench } from './import-bench.ts'

const { bench, write, withService } = useImportBench()

const ROWS = 90
const CONST =
  '--const currencyCode=EUR --const paymentMethod.paymentMethodType=PAYPAL --const createdAt=2026-01-31T09:30:00Z --const order.id=A-1'
const WORDS = `rows.csv --mapping m.yaml ${CONST} --results results.csv --json`

/** Every third row is left out; so are the first ten and the last ten. */
const isKept = (row: number): boolean => row % 3 !== 0 && row > 10 && row <= ROWS - 10
const KEPT = Array.from({ length: ROWS }, (_, index) => index + 1).filter(isKept)
const LEFT_OUT = [{ column: 'Art', value: 'Gebühr', rows: ROWS - KEPT.length }]

function writeRows(encoding: string): void {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 1
    return `ext-${row},7,Müller${'€'.repeat(row % 7)},"ä\r\nö",${isKept(row) ? 'Zählt' : 'Gebühr'}`
  })
  const text = `paymentId,amount,processor.name,metadata.note,Art\r\n${lines.join('\r\n')}\r\n`
  write('rows.csv', iconv.encode(text, encoding))
  write('m.yaml', `where: {Art: [Zählt]}\nencoding: ${encoding}\n`)
}

/** An import that Ctrl-C stopped at this request. */
async function stopped(at: number): Promise<number> {
  const signal = new AbortController()
  const ran = await withService(
    `${WORDS} --concurrency 1`,
    (_, attempt) => {
      if (attempt === at) signal.abort('SIGINT')
      return okay()
    },
    { signal: signal.signal },
  )
  expect(ran, ran.stderr).toMatchObject({ exitCode: 130 })
  return readTable(bench().folder, 'results.csv').length
}

describe.each(['windows-1252', 'utf-16le', 'utf-16be', 'utf-8'])(
  'an interrupted import from %s',
  (encoding) => {
    test.each([1, 5, 20, KEPT.length])('resumes at the right row after request %i', async (at) => {
      writeRows(encoding)
      const reported = await stopped(at)
      const again = await withService(WORDS, okay)
      expect(again.exitCode).toBe(0)
      expect(again.requests).toHaveLength(KEPT.length - reported)
      expect(JSON.parse(again.stdout)).toMatchObject({
        rows: KEPT.length,
        created: KEPT.length,
        leftOut: LEFT_OUT,
      })
      expect(readTable(bench().folder, 'results.csv').map(([row]) => Number(row))).toEqual(KEPT)
    })
  },
)

describe('another import begins', () => {
  test.each([
    ['another format of times', "--date-format 'yyyy-MM-dd HH:mm:ss'"],
    ['another zone', '--timezone Europe/Berlin'],
    ['decimal commas', '--decimal-comma'],
    ['another encoding', '--encoding windows-1254'],
  ])('with %s', async (_, flags) => {
    writeRows('windows-1252')
    await stopped(20)
    const again = await withService(`${WORDS} ${flags}`, okay)
    expect(again.requests).toHaveLength(KEPT.length)
  })

  test.each([
    ['another where', 'where: {Art: [Zählt, Gebühr]}', ROWS],
    ['other values', 'where: {Art: [Zählt]}\nvalues: {status: {x: SETTLED}}', KEPT.length],
  ])('with %s', async (_, mapping, rows) => {
    writeRows('windows-1252')
    await stopped(20)
    write('m.yaml', `${mapping}\nencoding: windows-1252\n`)
    const again = await withService(WORDS, okay)
    expect(again.requests).toHaveLength(rows)
  })
})

test('a trial counts what is left out once', async () => {
  writeRows('windows-1252')
  const trial = await withService(`${WORDS} --canary 5`, okay)
  expect(JSON.parse(trial.stdout)).toMatchObject({ rows: 5 })
  const rest = await withService(WORDS, okay)
  expect(JSON.parse(rest.stdout)).toMatchObject({ rows: KEPT.length, leftOut: LEFT_OUT })
})
