import { LineCounter, isScalar, parseDocument, visit } from 'yaml'
import type { UsageError, ValidationProblem } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import { kindOf } from './field-schema.ts'
import type { FieldSchema } from './field-schema.ts'
import { didYouMean, mappingError } from './mapping-error.ts'
import { folded } from './mapping.ts'
import type { ColumnMapping } from './mapping.ts'
import { messageOf } from '../../errors.ts'

/** The kinds of rows in files of payment providers. */
export const ROW_KINDS = ['payment', 'refund', 'chargeback', 'fee', 'payout', 'other'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** Words for kinds in files without a mapping. Only whole values count. */
const KIND_WORDS: Readonly<Record<RowKind, string>> = {
  payment:
    'payment|charge|sale|capture|captured|settled|zahlung|zahlungseingang|verkauf|paiement|vente|encaissement|pago|venta|pagamento|vendita|betaling|verkoop|p\u0142atno\u015B\u0107|sprzeda\u017C|venda',
  refund:
    'refund|refunded|payment refund|payment refunded|return|returned|erstattung|r\u00FCckerstattung|r\u00FCckzahlung|remboursement|reembolso|devoluci\u00F3n|rimborso|terugbetaling|zwrot|devolu\u00E7\u00E3o',
  chargeback:
    'chargeback|charged back|chargeback reversed|chargeback reversal|dispute|dispute reversal|r\u00FCckbuchung|r\u00FCcklastschrift|litige|contracargo|obci\u0105\u017Cenie zwrotne',
  fee: 'fee|fees|geb\u00FChr|geb\u00FChren|frais|commission|comisi\u00F3n|commissione|kosten|op\u0142ata|prowizja|taxa',
  payout: 'payout|auszahlung|versement|uitbetaling|wyp\u0142ata',
  other: 'other',
}
const KIND_BY_WORD = new Map(
  ROW_KINDS.flatMap((kind) => KIND_WORDS[kind].split('|').map((word) => [folded(word), kind] as const)),
)

/** The kind that a value means by itself, in the languages of usual files: `refund`, `ChargebackReversed`, `charged_back`. */
export const rowKindOf = (value: string): RowKind | undefined =>
  KIND_BY_WORD.get(folded(value.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ')))

export interface RowKinds {
  /** The column with the values; undefined for the one that is mapped to `kind`. */
  readonly column: string | undefined
  readonly values: ReadonlyMap<RowKind, readonly string[]>
}

/** The content of a mapping file. Every key is optional. */
export interface MappingFile {
  /** Column name by field path. */
  readonly map: ReadonlyMap<string, string>
  /** Constant text by field path. */
  readonly const: ReadonlyMap<string, string>
  /** The names of columns by field path. */
  readonly join: NonNullable<ColumnMapping['joins']>
  readonly values: NonNullable<ColumnMapping['values']>
  readonly where: NonNullable<ColumnMapping['where']>
  readonly leaveOut: NonNullable<ColumnMapping['leaveOut']>
  /** The kinds of rows, by the values of one column. */
  readonly kinds: RowKinds | undefined
  readonly amounts: 'minor' | 'major' | undefined
  readonly assumeUtc: boolean | undefined
  readonly decimalComma: boolean | undefined
  readonly thousandsComma: boolean | undefined
  readonly isoMinor: boolean | undefined
  /** These as written; the code that reads the flags of the same names checks them. */
  readonly delimiter: string | undefined
  readonly dateFormat: string | undefined
  readonly timezone: string | undefined
  readonly encoding: string | undefined
  readonly skipLines: string | undefined
  readonly timezoneColumn: string | undefined
}

export const NO_MAPPING_FILE: MappingFile = {
  map: new Map(),
  const: new Map(),
  join: new Map(),
  values: new Map(),
  where: new Map(),
  leaveOut: new Map(),
  kinds: undefined,
  amounts: undefined,
  assumeUtc: undefined,
  decimalComma: undefined,
  thousandsComma: undefined,
  isoMinor: undefined,
  delimiter: undefined,
  dateFormat: undefined,
  timezone: undefined,
  encoding: undefined,
  skipLines: undefined,
  timezoneColumn: undefined,
}

type Report = (path: string, description: string) => void

const KEYS = Object.keys(NO_MAPPING_FILE)
/** The keys that a suggested mapping has too, as information for its reader. */
const IGNORED_KEYS = ['file', 'operation', 'command', 'ready', 'missing', 'notes']
const UNITS = ['minor', 'major'] as const
/** The settings that contradict each other. */
const CONFLICTS = [
  ['assumeUtc', 'timezone'],
  ['decimalComma', 'thousandsComma'],
] as const

/**
 * Parses YAML such as `map: {amount: total}`, `const: {processor.name: ACME}`, `amounts: major`, `assumeUtc: true`.
 * @param shown the path of the file, for messages
 * @throws {UsageError} listing every problem of the file
 */
export function parseMappingFile(schema: FieldSchema, yaml: string, shown: string): MappingFile {
  const problems: ValidationProblem[] = []
  const report: Report = (path, description) => problems.push({ path, description })
  const value = parseYaml(yaml, shown)
  if (!isRecord(value)) throw badMapping(shown, [{ path: '$', description: 'must contain map: or const:' }])
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key) && !IGNORED_KEYS.includes(key)) report(key, unknownKey(schema, key))
  }
  const flag = (key: string): boolean | undefined => {
    const written = value[key]
    if (written !== undefined && written !== 'true' && written !== 'false')
      report(key, 'must be true or false')
    return written === undefined ? undefined : written === 'true'
  }
  const textOf = (key: string): string | undefined => {
    const written = value[key]
    if (typeof written === 'string' || written === undefined) return written
    report(key, 'must be text')
    return undefined
  }
  const { byField, text, texts, list, filters } = readersFor(schema, value, report)
  const file: MappingFile = {
    map: byField('map', 'FIELD: COLUMN', text),
    const: byField('const', 'FIELD: TEXT', text),
    join: byField(
      'join',
      'FIELD: [COLUMN, COLUMN]',
      list(2, 'must be a list of two or more columns: [Date, Time]'),
    ),
    values: byField('values', 'FIELD: {CELL: VALUE}', texts),
    where: filters('where', 'keep'),
    leaveOut: filters('leaveOut', 'leave out'),
    kinds: readKinds(value['kinds'], list, report),
    amounts: UNITS.find((unit) => unit === value['amounts']),
    assumeUtc: flag('assumeUtc'),
    decimalComma: flag('decimalComma'),
    thousandsComma: flag('thousandsComma'),
    isoMinor: flag('isoMinor'),
    delimiter: textOf('delimiter'),
    dateFormat: textOf('dateFormat'),
    timezone: textOf('timezone'),
    encoding: textOf('encoding'),
    skipLines: textOf('skipLines'),
    timezoneColumn: textOf('timezoneColumn'),
  }
  const sources = [file.map, file.const, file.join]
  for (const field of new Set(sources.flatMap((source) => [...source.keys()]))) {
    const keys = ['map', 'const', 'join'].filter((_, at) => sources[at]?.has(field))
    if (keys.length > 1) report(field, `is in both ${keys.join(' and ')}`)
  }
  for (const [column, kept] of file.where)
    for (const cell of file.leaveOut.get(column) ?? [])
      if (kept.has(cell)) report(`leaveOut.${column}`, `has "${cell}", which where keeps: remove one`)
  const kindColumn = file.kinds?.column
  if (kindColumn !== undefined)
    for (const [key, filter] of [
      ['where', file.where],
      ['leaveOut', file.leaveOut],
    ] as const)
      if (filter.has(kindColumn)) report(key, `filters "${kindColumn}", as kinds does: remove one`)
  for (const [one, other] of CONFLICTS)
    if (isSet(file[one]) && isSet(file[other])) report(other, `contradicts ${one}: remove one`)
  if (value['amounts'] !== undefined && file.amounts === undefined)
    report('amounts', 'must be minor or major')
  if (problems.length > 0) throw badMapping(shown, problems)
  return file
}

const isSet = (value: string | boolean | undefined): boolean => value !== undefined && value !== false

const unknownKey = (schema: FieldSchema, key: string): string =>
  kindOf(schema, key) === undefined
    ? `is not one of ${KEYS.join(', ')}${didYouMean(key, KEYS)}`
    : 'is a field: put it under map: or const:'

/** Parses YAML with the failsafe schema, which reads every scalar as text: 01 stays 01, and NO is not a boolean. */
function parseYaml(text: string, shown: string): unknown {
  const lines = new LineCounter()
  const bad = (why: string, at: number): UsageError => {
    const { line, col } = lines.linePos(at)
    return badMapping(shown, [{ path: '$', description: `${why} at line ${line}, column ${col}` }])
  }
  // The library compares each key with all before it, which takes seconds for the cells of a long list.
  const document = parseDocument(text, {
    schema: 'failsafe',
    logLevel: 'error',
    prettyErrors: false,
    lineCounter: lines,
    uniqueKeys: false,
  })
  const [error] = document.errors
  if (error !== undefined) throw bad(error.message, error.pos[0])
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) throw bad('Map keys must be unique', key.range?.[0] ?? 0)
        keys.add(key.value)
      }
    },
  })
  try {
    return document.toJS()
  } catch (problem) {
    // An alias without its anchor, or too many of them.
    throw badMapping(shown, [{ path: '$', description: messageOf(problem) }])
  }
}

const notAField = (schema: FieldSchema, field: string): string =>
  `is not a field of a ${schema.noun}${didYouMean(field, Object.keys(schema.kinds))}`

type Read<T> = (value: unknown, path: string) => T | undefined

/** Reads what a file says about fields and columns, and reports what can't be used. */
function readersFor(schema: FieldSchema, file: Readonly<Record<string, unknown>>, report: Report) {
  const entriesOf = (value: unknown, path: string, form: string): readonly (readonly [string, unknown])[] => {
    if (value === undefined) return []
    if (isRecord(value) && !Array.isArray(value)) return Object.entries(value)
    report(path, `must contain ${form}`)
    return []
  }
  const byName = <T>(key: string, form: string, read: Read<T>): ReadonlyMap<string, T> =>
    new Map(
      entriesOf(file[key], key, form).flatMap(([name, value]) => {
        const found = read(value, `${key}.${name}`)
        return found === undefined ? [] : [[name, found] as const]
      }),
    )
  const byField = <T>(key: string, form: string, read: Read<T>): ReadonlyMap<string, T> =>
    byName(key, form, (value, path) => {
      const field = path.slice(key.length + 1)
      if (kindOf(schema, field) !== undefined) return read(value, path)
      report(path, notAField(schema, field))
      return undefined
    })
  const text: Read<string> = (value, path) => {
    if (typeof value === 'string') return value
    report(path, 'must be text; write a nested field as one name: order.id')
    return undefined
  }
  const list =
    (least: number, words: string): Read<readonly string[]> =>
    (value, path) => {
      const all: readonly unknown[] = Array.isArray(value) ? value : [value]
      const texts = all.filter((one) => typeof one === 'string')
      if (texts.length === all.length && texts.length >= least) return texts
      report(path, words)
      return undefined
    }
  const filters = (key: 'where' | 'leaveOut', what: string): MappingFile['where'] => {
    const values = list(1, `must be a list of the values to ${what}: [charge, payment]`)
    const lists = byName(key, 'COLUMN: [VALUE, VALUE]', values)
    return new Map([...lists].map(([column, texts]) => [column, new Set(texts)]))
  }
  const texts: Read<ReadonlyMap<string, string>> = (value, path) =>
    new Map(
      entriesOf(value, path, 'CELL: VALUE').flatMap(([cell, one]) => {
        if (typeof one === 'string') return [[cell, one] as const]
        report(`${path}.${cell}`, 'must be text')
        return []
      }),
    )
  return { byField, text, texts, list, filters }
}

const KINDS_FORM = 'must be {column: COLUMN, payment: [VALUE, VALUE], refund: [VALUE], …}'

function readKinds(
  value: unknown,
  list: ReturnType<typeof readersFor>['list'],
  report: Report,
): RowKinds | undefined {
  if (value === undefined) return undefined
  if (!isRecord(value) || Array.isArray(value)) {
    report('kinds', KINDS_FORM)
    return undefined
  }
  const { column, ...lists } = value
  if (column !== undefined && typeof column !== 'string') report('kinds.column', 'must be text')
  const values = new Map<RowKind, readonly string[]>()
  const seen = new Map<string, string>()
  for (const [name, cells] of Object.entries(lists)) {
    const kind = ROW_KINDS.find((one) => one === name)
    if (kind === undefined) {
      report(`kinds.${name}`, `is not one of column, ${ROW_KINDS.join(', ')}${didYouMean(name, ROW_KINDS)}`)
      continue
    }
    const texts = list(1, 'must be a list of values: [charge, payment]')(cells, `kinds.${kind}`) ?? []
    for (const cell of texts) {
      const other = seen.get(folded(cell))
      if (other !== undefined && other !== kind)
        report(`kinds.${kind}`, `has "${cell}", which is in ${other} too: remove one`)
      seen.set(folded(cell), kind)
    }
    values.set(kind, texts)
  }
  return { column: typeof column === 'string' ? column : undefined, values }
}

const badMapping = (shown: string, problems: readonly ValidationProblem[]): UsageError =>
  mappingError(problems, { what: `The mapping ${shown} cannot be used`, code: 'bad_mapping' })
