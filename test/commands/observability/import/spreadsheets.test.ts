import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { useImportBench } from './import-bench.ts'

const { bench, check, importing, read, write } = useImportBench()

const HEAD = 'paymentId;amount;createdAt;processor.name;status'
const CONST =
  '--const currencyCode=EUR --const order.id=A-1 --const paymentMethod.paymentMethodType=PAYMENT_CARD'
const GERMAN = `--amounts major --decimal-comma --date-format 'dd.MM.yyyy HH:mm' --timezone Europe/Berlin ${CONST}`
const ROW = '1;1.234,50;31.01.2026 09:30;Müller;settled'

const recordOf = async (id: string): Promise<unknown> =>
  JSON.parse((await bench().runPay(`--sandbox observability get ${id} --json`)).stdout)

describe('a file as a German spreadsheet writes it', () => {
  test.each([
    ['windows-1252', '--encoding windows-1252', 'Reading CSV in windows-1252 with semicolons'],
    ['utf-16le', '--encoding utf-16le', 'Reading CSV in UTF-16LE with semicolons'],
    ['utf-16be', '--encoding utf-16be', 'Reading CSV in UTF-16BE with semicolons'],
    ['utf-8', '--encoding utf-8 --delimiter ;', 'Reading CSV with semicolons'],
  ])('is imported from %s', async (encoding, flags, note) => {
    write('a.csv', iconv.encode(`${HEAD}\r\n${ROW}\r\n`, encoding))
    const { exitCode, stderr } = await importing(`a.csv ${GERMAN} ${flags}`)
    expect(stderr).toContain(note)
    expect(exitCode).toBe(0)
    expect(await recordOf('1')).toMatchObject({
      amount: 123_450,
      createdAt: '2026-01-31T08:30:00Z',
      processor: { name: 'Müller' },
      status: 'SETTLED',
    })
  })

  test('is recognized by its byte order mark: the Unicode text of Excel', async () => {
    write('a.txt', iconv.encode(`${HEAD}\r\n${ROW}\r\n`.replaceAll(';', '\t'), 'utf-16le', { addBOM: true }))
    const { exitCode, stderr } = await check(`a.txt ${GERMAN}`)
    expect(stderr).toContain('Reading CSV in UTF-16LE with tabs as delimiters.')
    expect(exitCode).toBe(0)
  })

  test('has its settings in a mapping file, which flags override', async () => {
    write(
      'm.yaml',
      `delimiter: ';'
decimalComma: true
dateFormat: dd.MM.yyyy HH:mm
timezone: Europe/Berlin
encoding: windows-1252
amounts: major
`,
    )
    write('a.csv', iconv.encode(`${HEAD}\n${ROW}\n`, 'windows-1252'))
    expect(await check(`a.csv --mapping m.yaml ${CONST}`)).toMatchObject({ exitCode: 0 })
    write('b.csv', `${HEAD}\n${ROW}\n`.replaceAll(';', '|').replace('31.01.2026', '31/01/2026'))
    const flags = "--encoding utf-8 --delimiter | --date-format 'dd/MM/yyyy HH:mm' --timezone UTC"
    expect(await check(`b.csv --mapping m.yaml ${CONST} ${flags}`)).toMatchObject({ exitCode: 0 })
    expect(
      await check(`b.csv --mapping m.yaml ${CONST} ${flags.replace('--timezone UTC', '--assume-utc')}`),
    ).toMatchObject({ exitCode: 0 })
  })
})

describe('rejects of a file in another encoding', () => {
  const words = `a.csv ${GERMAN} --encoding windows-1252 --rejects r.csv`

  test('are UTF-8, which the next command says', async () => {
    write('a.csv', iconv.encode(`${HEAD}\n${ROW.replace('31.01', '31.13')}\n`, 'windows-1252'))
    const { exitCode, stderr } = await importing(words)
    expect(exitCode).toBe(14)
    expect(read('r.csv')).toMatch(/^\uFEFFpaymentId;.*\n1;.*Müller/)
    const next = /Next +pay (.*)/.exec(stderr)?.[1] ?? ''
    expect(next).toContain('--encoding utf-8')
    expect(next).not.toContain('windows-1252')
    write('r.csv', read('r.csv').replace('31.13', '31.12'))
    expect(await bench().runPay(next)).toMatchObject({ exitCode: 0 })
  })

  test('are not misread with the flags of that file', async () => {
    write('a.csv', iconv.encode(`${HEAD}\n${ROW.replace('31.01', '31.13')}\n`, 'windows-1252'))
    await importing(words)
    const { exitCode, stderr } = await importing(`r.csv ${GERMAN} --encoding windows-1252`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('the byte order mark of the file says UTF-8')
    expect(stderr).toContain('it mixes encodings: export it again')
  })
})

describe('rows that the mapping leaves out', () => {
  const MAPPING = 'where: {Type: [charge]}\n'
  const LEFT_OUT = [
    { column: 'Type', value: 'fee', rows: 2 },
    { column: 'Type', value: 'refund', rows: 1 },
  ]
  const lines = ['charge', 'fee', 'charge', 'refund', 'fee'].map(
    (type, index) => `${index + 1},${index === 2 ? 'x' : 7},2026-01-31T09:30:00Z,ACME,${type}`,
  )
  const start = () => {
    write('m.yaml', MAPPING)
    write('a.csv', `paymentId,amount,createdAt,processor.name,Type\n${lines.join('\n')}\n`)
  }

  test('are counted by a check', async () => {
    start()
    const COUNTED = 'The mapping leaves out 3 rows: Type "fee" (2), Type "refund" (1).'
    const checked = await check(`a.csv --mapping m.yaml ${CONST} --json`)
    expect(JSON.parse(checked.stdout)).toMatchObject({ rows: 2, good: 1, bad: 1, leftOut: LEFT_OUT })
    expect(checked.stderr).toContain(COUNTED)
    const shown = await check(`a.csv --mapping m.yaml ${CONST}`)
    expect(shown.stdout).toContain('1 of 2 rows cannot be sent, 1 can.')
    expect(shown.stderr).toContain(COUNTED)
  })

  test('are counted by an import, and are neither in its results nor in its rejects', async () => {
    start()
    const { stdout, stderr } = await importing(
      `a.csv --mapping m.yaml ${CONST} --results results.csv --rejects rejects.csv --json`,
    )
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, created: 1, failed: 1, leftOut: LEFT_OUT })
    expect(stderr).toContain('The mapping leaves out 3 rows: Type "fee" (2), Type "refund" (1).')
    expect(read('results.csv').split('\n').slice(1)).toEqual([
      '1,1,created,,',
      expect.stringMatching(/^3,3,failed/),
      '',
    ])
    expect(read('rejects.csv').split('\n')).toHaveLength(3)
  })

  test('may be all of them, if the mapping names their values', async () => {
    start()
    write('m.yaml', 'where: {Type: [payout]}\nleaveOut: {Type: [charge, fee, refund]}')
    const { exitCode, stdout } = await importing(`a.csv --mapping m.yaml ${CONST} --json`)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 0,
      leftOut: expect.arrayContaining([{ column: 'Type', value: 'charge', rows: 2 }]),
    })
  })

  test('are refused if they are all and the mapping only names values that no row has', async () => {
    start()
    write('m.yaml', 'where: {Type: [payout]}')
    const { exitCode, stderr, requests } = await importing(`a.csv --mapping m.yaml ${CONST}`)
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] })
    expect(stderr).toContain('none of the values in "Type", such as "charge", "fee", "refund"')
  })

  test('are counted by the part that would send them', async () => {
    start()
    const parts = await Promise.all(
      [1, 2].map(async (part) => {
        const { stdout } = await check(`a.csv --mapping m.yaml ${CONST} --json -q --shard ${part}/2`)
        const { rows, leftOut = [] }: { rows: number; leftOut?: { rows: number }[] } = JSON.parse(stdout)
        return leftOut.reduce((sum, one) => sum + one.rows, rows)
      }),
    )
    expect((parts[0] ?? 0) + (parts[1] ?? 0)).toBe(5)
  })
})
