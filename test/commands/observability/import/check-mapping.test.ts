import { beforeEach, describe, expect, test } from 'vitest'
import { useImportBench } from './import-bench.ts'

const { check, write } = useImportBench()

describe('a file with other column names', () => {
  const FOREIGN = 'id,total,made,nr\n1,7.00,2026-01-31 09:30,A-1\n2,8.5,2026-01-31 09:31,A-2\n'
  const MAP = '--map paymentId=id --map amount=total --map createdAt=made --map order.id=nr'
  const CONST =
    '--const currencyCode=EUR --const processor.name=ACME --const paymentMethod.paymentMethodType=PAYPAL'
  const MAPPING = `map:
  paymentId: id
  amount: total
  createdAt: made
  order.id: nr
const:
  currencyCode: JPY
  processor.name: ACME
  paymentMethod.paymentMethodType: PAYPAL
amounts: major
assumeUtc: true
`
  beforeEach(() => {
    write('a.csv', FOREIGN)
    write('map.yaml', MAPPING)
  })

  test('is mapped by flags', async () =>
    expect(await check(`a.csv ${MAP} ${CONST} --amounts major --assume-utc`)).toMatchObject({ exitCode: 0 }))

  test('is mapped by a mapping file, which flags override', async () => {
    const alone = await check('a.csv --mapping map.yaml --json -q')
    expect(JSON.parse(alone.stdout)).toMatchObject({ bad: 2, problems: [{ hint: 'JPY has none' }] })
    expect(await check('a.csv --mapping map.yaml --const currencyCode=EUR')).toMatchObject({ exitCode: 0 })
    expect(await check('a.csv --mapping map.yaml --amounts minor')).toMatchObject({ exitCode: 14 })
    // A column instead of a constant, and vice versa.
    const swapped = await check(
      'a.csv --mapping map.yaml --map processor.name=nr --const order.id=A --const currencyCode=EUR',
    )
    expect(swapped).toMatchObject({ exitCode: 0 })
  })

  test('names the columns that are not imported', async () => {
    write('b.csv', FOREIGN.replace('nr', 'nr,notes\u001B[31m').replaceAll(/(A-\d)/g, '$1,x'))
    const { stderr } = await check(`b.csv ${MAP} ${CONST} --amounts major --assume-utc`)
    expect(stderr).toContain('Columns that are not imported: notes\\u001b[31m.')
  })

  test.each([
    [
      '--map amount --map amount=a --map amount=b --const =x',
      '--map takes FIELD=COLUMN, not "amount"; --map names amount twice; --const takes FIELD=VALUE, not "=x"',
    ],
    ['--amounts mayor', '--amounts takes minor or major, not "mayor"'],
    ['--mapping none.yaml', 'none.yaml cannot be read'],
    ['--mapping a.csv', 'The mapping a.csv cannot be used'],
  ])('is refused with bad flags: %s', async (words, message) => {
    const { exitCode, stderr } = await check(`a.csv ${words}`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  test('is refused without a mapping, with what to do', async () => {
    const { exitCode, stderr } = await check('a.csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('total: is not a field of a record')
    expect(stderr).toContain('paymentId: is required, but no column or constant provides it')
    expect(stderr).toContain('pay observability template FILE')
  })
})

describe('NDJSON', () => {
  const RECORD = {
    paymentId: 'ext-1',
    currencyCode: 'EUR',
    processor: { name: 'ACME' },
    amount: 700,
    createdAt: '2026-01-31T09:30:00+01:00',
    order: { id: 'A-1' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  }

  test('is checked like CSV', async () => {
    const bad = { ...RECORD, amount: 7.5, statsu: 'x' }
    write('a.ndjson', [RECORD, bad, bad].map((record) => JSON.stringify(record)).join('\n\n') + '\nno json\n')
    const { exitCode, stdout } = await check('a.ndjson --json')
    expect(exitCode).toBe(14)
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 4,
      bad: 3,
      problems: [
        {
          column: 'amount',
          problem: 'must be a whole number',
          count: 2,
          first: [
            { row: 2, line: 3, value: '7.5' },
            { row: 3, line: 5 },
          ],
        },
        { column: 'statsu', hint: 'Did you mean status?', count: 2 },
        {
          problem: expect.stringContaining('is not JSON'),
          count: 1,
          first: [{ row: 4, line: 6, value: 'no json' }],
        },
      ],
    })
  })
})
