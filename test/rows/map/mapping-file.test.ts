import { expect, test } from 'vitest'
import { NO_MAPPING_FILE, parseMappingFile } from '../../../src/rows/map/mapping-file.ts'
import { PayError } from '../../../src/errors.ts'
import { RECORD } from '../../../src/rows/import/record-fields.ts'

function faultsOf(text: string): readonly string[] {
  try {
    parseMappingFile(RECORD, text, 'map.yaml')
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    expect(error).toMatchObject({
      code: 'bad_mapping',
      exitCode: 2,
      message: expect.stringContaining('map.yaml'),
    })
    return (error.details.validationErrors ?? []).map(({ path, description }) => `${path}: ${description}`)
  }
  return []
}

test('reads every value as text, not as a number or boolean', () => {
  const text = [
    'map:',
    '  paymentId: 01',
    '  metadata.a: NO',
    'const:',
    '  currencyCode: EUR',
    '  metadata.__proto__: 1.50',
    'amounts: major',
    'assumeUtc: true',
  ].join('\n')
  expect(parseMappingFile(RECORD, text, 'map.yaml')).toEqual({
    ...NO_MAPPING_FILE,
    map: new Map([
      ['paymentId', '01'],
      ['metadata.a', 'NO'],
    ]),
    const: new Map([
      ['currencyCode', 'EUR'],
      ['metadata.__proto__', '1.50'],
    ]),
    amounts: 'major',
    assumeUtc: true,
  })
})

test('needs only one of its keys', () =>
  expect(parseMappingFile(RECORD, 'amounts: minor', 'm')).toEqual({ ...NO_MAPPING_FILE, amounts: 'minor' }))

const KEYS =
  'map, const, join, values, where, leaveOut, kinds, amounts, assumeUtc, decimalComma, thousandsComma, isoMinor, delimiter, dateFormat, timezone, encoding, skipLines, timezoneColumn'

test('reads how cells are written, and which rows to keep', () => {
  const text = `
join: {createdAt: [Date, Time]}
values: {status: {Paid: SETTLED, no: DECLINED}}
where: {Type: [charge, payment], Paid: yes}
delimiter: ';'
decimalComma: true
dateFormat: dd.MM.yyyy HH:mm
timezone: Europe/Berlin
encoding: windows-1252
`
  expect(parseMappingFile(RECORD, text, 'm')).toEqual({
    ...NO_MAPPING_FILE,
    join: new Map([['createdAt', ['Date', 'Time']]]),
    values: new Map([
      [
        'status',
        new Map([
          ['Paid', 'SETTLED'],
          ['no', 'DECLINED'],
        ]),
      ],
    ]),
    where: new Map([
      ['Type', new Set(['charge', 'payment'])],
      ['Paid', new Set(['yes'])],
    ]),
    delimiter: ';',
    decimalComma: true,
    dateFormat: 'dd.MM.yyyy HH:mm',
    timezone: 'Europe/Berlin',
    encoding: 'windows-1252',
  })
})

test.each([
  ['', ['$: must contain map: or const:']],
  ['- map', ['$: must contain map: or const:']],
  ['map: {a: 1, a: 2}', [expect.stringContaining('$: Map keys must be unique at line 1')]],
  ['map: [', [expect.stringContaining('$: ')]],
  ['constants: {}', [`constants: is not one of ${KEYS}`]],
  ['maps: {}', [`maps: is not one of ${KEYS}; did you mean "map"?`]],
  [
    'map: {amuont: total, order: {id: nr}, status: [a]}\nconst: x\namounts: mayor\nassumeUtc: yes',
    [
      'map.amuont: is not a field of a record; did you mean "amount"?',
      expect.stringContaining('map.order: is not a field of a record'),
      'map.status: must be text; write a nested field as one name: order.id',
      'const: must contain FIELD: TEXT',
      'assumeUtc: must be true or false',
      'amounts: must be minor or major',
    ],
  ],
  ['map: {amount: a}\nconst: {amount: 1}', ['amount: is in both map and const']],
  ['map: {createdAt: a}\njoin: {createdAt: [a, b]}', ['createdAt: is in both map and join']],
  [
    'join: {createdAt: [a], amuont: [a, b], amount: a, status: [a, [b]]}',
    [
      'join.createdAt: must be a list of two or more columns: [Date, Time]',
      'join.amuont: is not a field of a record; did you mean "amount"?',
      'join.amount: must be a list of two or more columns: [Date, Time]',
      'join.status: must be a list of two or more columns: [Date, Time]',
    ],
  ],
  [
    'join: [a]\nvalues: x\nwhere: [Type]',
    [
      'join: must contain FIELD: [COLUMN, COLUMN]',
      'values: must contain FIELD: {CELL: VALUE}',
      'where: must contain COLUMN: [VALUE, VALUE]',
    ],
  ],
  [
    'values: {staus: {a: b}, status: x, amount: {a: [b]}}\nwhere: {Type: [], State: {a: b}}',
    [
      'values.staus: is not a field of a record; did you mean "status"?',
      'values.status: must contain CELL: VALUE',
      'values.amount.a: must be text',
      'where.Type: must be a list of the values to keep: [charge, payment]',
      'where.State: must be a list of the values to keep: [charge, payment]',
    ],
  ],
  [
    'where: {Type: [a, b]}\nleaveOut: {Type: [b], State: []}',
    [
      'leaveOut.State: must be a list of the values to leave out: [charge, payment]',
      'leaveOut.Type: has "b", which where keeps: remove one',
    ],
  ],
  [
    'assumeUtc: true\ntimezone: UTC\ndecimalComma: true\nthousandsComma: true\ndelimiter: [a]',
    [
      'delimiter: must be text',
      'timezone: contradicts assumeUtc: remove one',
      'thousandsComma: contradicts decimalComma: remove one',
    ],
  ],
  ['kinds: [payment]', ['kinds: must be {column: COLUMN, payment: [VALUE, VALUE], refund: [VALUE], …}']],
  [
    'kinds: {column: Type, payment: [a, A], refund: [b, a], fees: [c], payout: []}\nwhere: {Type: [a]}',
    [
      'kinds.refund: has "a", which is in payment too: remove one',
      'kinds.fees: is not one of column, payment, refund, chargeback, fee, payout, other; did you mean "fee"?',
      'kinds.payout: must be a list of values: [charge, payment]',
      'where: filters "Type", as kinds does: remove one',
    ],
  ],
  ['__proto__: x', [`__proto__: is not one of ${KEYS}`]],
])('reports all at once: %j', (text, faults) => expect(faultsOf(text)).toEqual(faults))
