import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { HEADER, csvOf, upTo } from '../../support/import-bench.ts'
import { errorOf } from '../../support/run-result.ts'
import { useImportBench } from './import/import-bench.ts'

const { bench, write, read, importing } = useImportBench()
const split = (words: string, stdin?: string) =>
  bench().runPay(`observability split ${words} --json`, stdin === undefined ? {} : { stdin })
const files = (folder: string) =>
  readdirSync(join(bench().folder, folder)).filter((name) => !name.startsWith('.'))
const part = (index: number, folder = 'parts') => read(join(folder, `part-${index}.csv`))
const rowsIn = (text: string) =>
  text
    .slice(HEADER.length)
    .split('\n')
    .filter((line) => line !== '')
const records = async () =>
  (await bench().runPay('--sandbox observability list --all -o ndjson')).stdout.split('\n').toSorted()

describe('observability split', () => {
  test('deals every row into one part, in order, and says so in the manifest', async () => {
    const content = csvOf(500)
    write('rows.csv', content)
    const ran = await split('rows.csv --parts 3 --out parts')
    expect(ran).toMatchObject({ exitCode: 0, requests: [] })
    expect(files('parts')).toEqual(['manifest.json', 'part-0.csv', 'part-1.csv', 'part-2.csv'])
    const manifest = JSON.parse(read('parts/manifest.json'))
    expect(manifest).toMatchObject({ type: 'split', version: 1, input: 'rows.csv', rows: 500 })
    const parts = [0, 1, 2].map((index) => part(index))
    expect(parts.every((text) => text.startsWith(HEADER))).toBe(true)
    expect(manifest.parts).toEqual(
      parts.map((text, index) => ({
        file: `part-${index}.csv`,
        rows: rowsIn(text).length,
        sha256: createHash('sha256').update(text).digest('hex'),
      })),
    )
    const place = (line: string) => Number(/^ext-(\d+)/.exec(line)?.[1])
    for (const text of parts) {
      const places = rowsIn(text).map(place)
      expect(places).toEqual(places.toSorted((one, other) => one - other))
    }
    expect(parts.flatMap(rowsIn).toSorted()).toEqual(rowsIn(content).toSorted())
  })

  test('deals as --shard does', async () => {
    write('rows.csv', csvOf(40))
    await split('rows.csv --parts 4 --out parts')
    await importing('rows.csv --shard 2/4 --results shard.csv')
    const ids = (text: string) =>
      text
        .split('\n')
        .slice(1)
        .filter((line) => line !== '')
    expect(ids(part(1)).map((line) => line.split(',')[0])).toEqual(
      ids(read('shard.csv')).map((line) => line.split(',')[1]),
    )
  })

  test('keeps rows byte by byte: quotes, line breaks, blank lines, a last line without an end', async () => {
    const rows = upTo(20).map(
      (n) => `ext-${n},EUR,"A ""B""\nC",${n},2026-01-31T09:30:00Z,o,PAYMENT_CARD,SETTLED\r\n`,
    )
    write('rows.csv', `${HEADER}${rows.join('')}`.trimEnd())
    await split('rows.csv --parts 2 --out parts')
    const whole = [part(0), part(1)].map((text) => text.slice(HEADER.length)).join('\r\n')
    for (const row of rows) expect(whole).toContain(row.trimEnd())
  })

  test('makes the same records as the whole file', async () => {
    const content = csvOf(60, (row) => row)
    write(
      'rows.csv',
      `${content}${content.split('\n').slice(1, 10).join('\n').replaceAll(',SETTLED', ',FAILED')}\n`,
    )
    await importing('rows.csv')
    const whole = await records()
    await bench().runPay('sandbox reset --yes')
    await split('rows.csv --parts 3 --out parts')
    for (const index of [2, 0, 1])
      expect(await importing(`parts/part-${index}.csv`)).toMatchObject({ exitCode: 0 })
    expect(await records()).toEqual(whole)
  })

  test.each(['windows-1252', 'utf-16le'])('keeps the encoding %s', async (encoding) => {
    const text = csvOf(6).replaceAll('ACME', 'Größe')
    const bytes =
      encoding === 'utf-16le' ? Buffer.from(`\uFEFF${text}`, 'utf16le') : Buffer.from(text, 'latin1')
    write('rows.csv', bytes)
    expect(await split(`rows.csv --encoding ${encoding} --parts 2 --out parts`)).toMatchObject({
      exitCode: 0,
    })
    for (const index of [0, 1]) {
      const raw = readFileSync(join(bench().folder, 'parts', `part-${index}.csv`))
      const decoded = raw.toString(encoding === 'utf-16le' ? 'utf16le' : 'latin1')
      expect(decoded).toContain('Größe')
      expect(decoded.startsWith('\uFEFF')).toBe(encoding === 'utf-16le')
    }
  })

  test('reads gzip, stdin, NDJSON and mapped files', async () => {
    write('rows.csv.gz', gzipSync(csvOf(10)))
    expect(await split('rows.csv.gz --parts 2 --out a')).toMatchObject({ exitCode: 0 })
    expect(await split('- --format csv --parts 2 --out b', csvOf(10))).toMatchObject({ exitCode: 0 })
    expect(part(0, 'b')).toBe(part(0, 'a'))
    write(
      'rows.ndjson',
      upTo(10)
        .map((n) => `{"paymentId":"ext-${n}"}\n`)
        .join(''),
    )
    expect(await split('rows.ndjson --parts 2 --out c')).toMatchObject({ exitCode: 0 })
    expect(`${read('c/part-0.ndjson')}${read('c/part-1.ndjson')}`.split('\n')).toHaveLength(11)
    write('mine.csv', csvOf(10).replace('paymentId', 'Number'))
    expect(await split('mine.csv --map paymentId=Number --parts 2 --out d')).toMatchObject({ exitCode: 0 })
    expect(part(0, 'd').startsWith('Number,')).toBe(true)
    expect(rowsIn(part(0, 'd').replace('Number', 'paymentId'))).toEqual(rowsIn(part(0, 'a')))
  })

  test('refuses a folder with another split unless --replace', async () => {
    write('rows.csv', csvOf(10))
    await split('rows.csv --parts 3 --out parts')
    const before = read('parts/manifest.json')
    const again = await split('rows.csv --parts 2 --out parts')
    expect(again).toMatchObject({ exitCode: 2 })
    expect(errorOf(again)).toMatchObject({ code: 'split_exists' })
    expect(read('parts/manifest.json')).toBe(before)
    expect(await split('rows.csv --parts 2 --out parts --replace')).toMatchObject({ exitCode: 0 })
    expect(files('parts')).toEqual(['manifest.json', 'part-0.csv', 'part-1.csv'])
  })

  test('never replaces files of others', async () => {
    write('rows.csv', csvOf(10))
    mkdirSync(join(bench().folder, 'mine'))
    for (const [name, content] of [
      ['manifest.json', '{"name":"x"}'],
      ['part-0.csv', 'mine'],
    ]) {
      writeFileSync(join(bench().folder, 'mine', name ?? ''), content ?? '')
      const ran = await split('rows.csv --parts 2 --out mine --replace')
      expect(errorOf(ran)).toMatchObject({ code: 'not_replaced' })
      expect(read(`mine/${name}`)).toBe(content)
      rmSync(join(bench().folder, 'mine', name ?? ''))
    }
  })

  test('leaves no split of a file that cannot be read to its end, and can be repeated', async () => {
    write('rows.csv', `${csvOf(10)}"never closed\n`)
    expect(await split('rows.csv --parts 2 --out parts')).toMatchObject({ exitCode: 2 })
    expect(files('parts')).not.toContain('manifest.json')
    write('rows.csv', csvOf(10))
    expect(await split('rows.csv --parts 2 --out parts')).toMatchObject({ exitCode: 0 })
  })

  test('refuses what an import of the whole would refuse', async () => {
    write('rows.csv', csvOf(3).replace(',2500,', ',25.00,'))
    expect(await split('rows.csv --parts 2 --out parts')).toMatchObject({ exitCode: 2 })
  })
})
