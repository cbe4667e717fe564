import { describe, expect, test } from 'vitest'
import { useImportBench } from './import-bench.ts'

const { check, write } = useImportBench()

describe('is refused with what to do', () => {
  test.each([
    ['--delimiter xx', '--delimiter takes one character, such as ; or |, or tab, not "xx"', ''],
    ['--delimiter .', '--delimiter takes one character', ''],
    ['--encoding windows-1253x', 'not "windows-1253x"', 'Did you mean windows-1253?'],
    ['--encoding utf-7', '--encoding takes a label such as utf-8, windows-1252 or utf-16le, not "utf-7"', ''],
    ['--timezone Europe/Berlln', 'not "Europe/Berlln"', 'Did you mean Europe/Berlin?'],
    ['--timezone +01:00', '--timezone takes a name of the IANA database, such as Europe/Berlin', ''],
    ['--timezone UTC --assume-utc', '--assume-utc and --timezone both name the zone: use only one', ''],
    [
      '--date-format dd.mm.yyyy',
      '--date-format "dd.mm.yyyy" has no month',
      'The month is MM; mm are the minutes',
    ],
  ])('%s', async (words, message, hint) => {
    const { exitCode, stderr } = await check(`a.csv ${words}`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain(hint)
  })

  test.each([
    ['delimiter: xx', 'delimiter in the mapping file takes one character'],
    ['encoding: latin', 'encoding in the mapping file takes a label'],
    ['timezone: Berlin', 'timezone in the mapping file takes a name'],
    ['dateFormat: DD.MM.YYYY', 'dateFormat in the mapping file "DD.MM.YYYY" has "DD"'],
    ['where: x', 'The mapping m.yaml cannot be used: where: must contain COLUMN: [VALUE, VALUE]'],
  ])('a mapping file with %s', async (text, message) => {
    write('m.yaml', text)
    const { exitCode, stderr } = await check('a.csv --mapping m.yaml')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  test.each([
    ['--map amount=a', '', '--map names columns, and NDJSON has none'],
    ['--delimiter ;', '', 'A delimiter separates cells, and NDJSON has none'],
    ['--mapping m.yaml', 'where: {Type: [a]}', 'The mapping names columns, and NDJSON has none'],
    ['--mapping m.yaml', 'join: {createdAt: [a, b]}', 'The mapping names columns, and NDJSON has none'],
    ['--mapping m.yaml', 'values: {status: {a: SETTLED}}', 'The mapping names columns, and NDJSON has none'],
  ])('NDJSON with %s %s', async (words, mapping, message) => {
    write('m.yaml', mapping)
    const { exitCode, stderr } = await check(`a.ndjson ${words}`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain('Use --const, or convert the file to CSV.')
  })

  test('bytes that are not in the encoding, after the rows before them', async () => {
    write('a.csv', Buffer.from('paymentId,amount\n1,7\n2,\x81\n', 'latin1'))
    const { exitCode, stderr } = await check('a.csv --encoding windows-1252 --const currencyCode=EUR')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is required')
    const rest = 'currencyCode processor.name createdAt order.id paymentMethod.paymentMethodType'
    const flags = rest
      .split(' ')
      .map((field) => `--const ${field}=${field === 'createdAt' ? '2026-01-31T09:30:00Z' : 'EUR'}`)
    const ended = await check(`a.csv --encoding windows-1252 ${flags.join(' ')}`)
    expect(ended.exitCode).toBe(2)
    expect(ended.stderr).toContain('Line 3 has bytes that are not windows-1252')
    expect(ended.stderr).toContain('1 row, all good')
  })

  test('UTF-16 without a byte order mark, with the flag that reads it', async () => {
    write('a.csv', Buffer.from('paymentId,amount\n', 'utf16le'))
    const { exitCode, stderr } = await check('a.csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Line 1 is not UTF-8')
    expect(stderr).toContain('--encoding utf-16le')
  })
})

test('NDJSON is read in any encoding, and with the settings of times and amounts', async () => {
  const record = {
    paymentId: '1',
    currencyCode: 'EUR',
    amount: '1.234,50',
    createdAt: '31.01.2026 09:30',
    order: { id: 'Ä' },
    processor: { name: 'ACME' },
    paymentMethod: { paymentMethodType: 'PAYPAL' },
  }
  write('a.ndjson', Buffer.from(`\uFEFF${JSON.stringify(record)}\n`, 'utf16le'))
  const { exitCode, stderr } = await check(
    "a.ndjson --amounts major --decimal-comma --date-format 'dd.MM.yyyy HH:mm' --timezone Europe/Berlin",
  )
  expect(stderr).toContain('Reading NDJSON in UTF-16LE.')
  expect(exitCode).toBe(0)
})
