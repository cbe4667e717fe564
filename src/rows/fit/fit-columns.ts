import { SETS } from '../../api/sets.ts'
import type { NamedSet } from '../../api/sets.ts'
import { exponentOf } from '../../money/currencies.ts'
import { pluralize } from '../../text/words.ts'
import { closest } from '../../text/suggest.ts'
import { currencyIn, isMoney, isNegative, namesMinorUnits, numbersOf } from '../map/amount-style.ts'
import { isNothing, withoutSign } from '../map/cell.ts'
import { ALL, kindOf } from '../map/field-schema.ts'
import type { FieldSchema } from '../map/field-schema.ts'
import { folded } from '../map/mapping.ts'
import { rowKindOf } from '../map/mapping-file.ts'
import { namesCurrency, splitMoney } from '../map/money-cell.ts'
import type { NumberStyle } from '../map/number-style.ts'
import { PLACEHOLDER } from '../map/placeholder.ts'
import { namesZone, zoneInCell } from '../map/time-zone.ts'
import { createAmountForms } from '../read/evidence.ts'
import type { AmountForms } from '../read/evidence.ts'
import type { FittedTable } from '../read/fit-table.ts'
import { readingsOf } from './fit-times.ts'
import {
  KNOWN_EXPORTS,
  asksForDecision,
  asksForKind,
  isPersonal,
  namesCredit,
  namesDebit,
  namesOtherMoney,
  namesMoved,
  namesMovement,
  plainName,
  saysUtc,
} from './known-columns.ts'
import type { KNOWN_COLUMNS } from './known-columns.ts'

/** What the rows of a file become, as far as their columns tell. */
export interface FitJob {
  readonly schema: FieldSchema
  /** The fields to look for, with what their columns are called. */
  readonly known: typeof KNOWN_COLUMNS
  /** The fields that every row needs; one without a certain column is left to the user. */
  readonly required: readonly string[]
  /** Fields of which one is enough. */
  readonly either: readonly string[]
  /** Fields that may be the same in every row; all others differ from row to row. */
  readonly mayBeConstant: readonly string[]
  /**
   * Rows that are payments, requests to do something with them, or what a provider settled: payments and others. Whole numbers of
   * payments are minor units if nothing shows their units; those of others are asked about. A payment's record is kept for good, so
   * nothing in it may identify a person.
   */
  readonly rows: 'payments' | 'requests' | 'settled'
  /** What the amounts are for: a column named for it wins. */
  readonly moves?: 'refund' | 'capture' | undefined
}

/** How to read a table. A {@link PLACEHOLDER} stands for what only the user knows. */
export interface FittedColumns {
  /** Column by field. */
  readonly map: Readonly<Record<string, string>>
  /** Text of every row by field. */
  readonly const: Readonly<Record<string, string>>
  /** The columns with the day and the time, by field. */
  readonly join?: Readonly<Record<string, readonly string[]>>
  /** The rows to keep by column, if some may have to be left out. */
  readonly where?: Readonly<Record<string, readonly string[]>>
  /** The kinds of rows, if only the user knows what some values mean. */
  readonly kinds?: typeof PLACEHOLDER
  readonly amounts?: 'major' | 'minor' | typeof PLACEHOLDER
  readonly decimalComma?: true
  readonly thousandsComma?: true
  readonly dateFormat?: string
  readonly timezone?: typeof PLACEHOLDER
  readonly timezoneColumn?: string
  readonly assumeUtc?: true
  /** Whether only a mapping file can say how to read the table. */
  readonly needsMapping: boolean
  /** The fields that have a placeholder because no column is certain. */
  readonly missing: readonly string[]
  readonly unused: readonly string[]
  /** What is open and why, for the user. */
  readonly notes: readonly string[]
}

export interface Column {
  /** The name for `--map`; `total#2` for the second one named `total`. */
  readonly ref: string
  readonly name: string
  readonly plain: string
  /** A cell for each row; empty if the row has none. */
  readonly cells: readonly string[]
  /** The cells with a value. */
  readonly values: readonly string[]
  readonly distinct: readonly string[]
}

type Note = (sentence: string) => void

/**
 * Fits the columns of a table to the fields of a job. Each cell of the sample speaks for or against a reading of its column: one that
 * a cell contradicts is out, and two that are left are a question to the user, never a choice.
 */
export function fitColumns(job: FitJob, table: Pick<FittedTable, 'names' | 'rows'>): FittedColumns {
  const notes: string[] = []
  const note: Note = (sentence) => void notes.push(sentence)
  const columns = columnsOf(table)
  const { chosen, open } = chooseColumns(job, columns, note)
  const unusedColumns = columns.filter(
    (column) => column.name !== '' && ![...chosen.values()].includes(column),
  )

  const amounts = fitAmounts(job, { chosen, note })
  const needsCurrency = chosen.has('amount') || open.has('amount')
  const constants = new Map<string, string>()
  if (!chosen.has(job.schema.currency) && needsCurrency && !open.has(job.schema.currency)) {
    const currency = currencyOf(job, chosen.get('amount'), amounts.units, note)
    if (currency !== undefined) constants.set(job.schema.currency, currency)
  }
  const joined =
    job.known['createdAt'] === undefined || chosen.has('createdAt')
      ? undefined
      : dayAndTime(job, unusedColumns, note)
  const times = fitTimes(joined?.column ?? chosen.get('createdAt'), unusedColumns, note)
  const isMissing = (field: string): boolean =>
    !chosen.has(field) &&
    !(field === 'createdAt' && joined !== undefined) &&
    (constants.get(field) ?? PLACEHOLDER) === PLACEHOLDER
  const isNamed = job.either.some((field) => chosen.has(field))
  const missing = [
    ...job.required.filter(isMissing),
    // What else is open is left out, except for what a row can't do without.
    ...['amount', 'kind', ...(isNamed ? [] : job.either)].filter(
      (field) => open.has(field) && !job.required.includes(field),
    ),
  ]
  for (const field of missing) if (job.mayBeConstant.includes(field)) constants.set(field, PLACEHOLDER)
  const map = Object.fromEntries([
    ...[...chosen]
      .toSorted(([, a], [, b]) => columns.indexOf(a) - columns.indexOf(b))
      .map(([field, { ref }]) => [field, ref]),
    ...missing.filter((field) => !job.mayBeConstant.includes(field)).map((field) => [field, PLACEHOLDER]),
  ])
  if (job.rows === 'settled' && !isNamed && map['orderId'] === undefined) {
    map['orderId'] = PLACEHOLDER
    note(
      `No column clearly names payments: write the one with your orders in place of ${PLACEHOLDER}, or map paymentId or processorTransactionId.`,
    )
  }
  const unknownKinds = (chosen.get('kind')?.distinct ?? []).filter((value) => rowKindOf(value) === undefined)
  if (unknownKinds.length > 0)
    note(
      `"${chosen.get('kind')?.ref}" has values whose kind is not known: ${listed(unknownKinds)}. Write their kinds in place of ${PLACEHOLDER}, such as refund=${unknownKinds[0]}, or other= for rows to leave out. --kinds is repeatable; for each kind, name all its values.`,
    )
  const { filters, isFilterOpen } = openRows(job, { unusedColumns, chosen, times, note })
  noteRepeats(chosen.get(job.schema.id), job, note)
  noteTypos(
    unusedColumns,
    missing.filter((field) => !open.has(field)),
    note,
  )
  if (job.rows === 'payments') notePersonal(unusedColumns, note)
  if (missing.length > 0)
    note(
      `Replace each ${PLACEHOLDER} before you run the command: no column is certain to be ${missing.join(', ')}.`,
    )
  return {
    map,
    const: Object.fromEntries(constants),
    ...(joined === undefined ? {} : { join: { createdAt: joined.parts } }),
    ...(filters.length === 0
      ? {}
      : { where: Object.fromEntries(filters.map(({ ref }) => [ref, [PLACEHOLDER]])) }),
    ...(unknownKinds.length === 0 ? {} : { kinds: PLACEHOLDER }),
    ...amounts.flags,
    ...times.flags,
    needsMapping:
      isFilterOpen || filters.length > 0 || joined !== undefined || amounts.flags.thousandsComma === true,
    missing,
    unused: unusedColumns.map(({ ref }) => ref),
    notes,
  }
}

function columnsOf({ names, rows }: Pick<FittedTable, 'names' | 'rows'>): readonly Column[] {
  return names.map((name, index) => {
    const nth = names.slice(0, index + 1).filter((one) => one === name).length
    const isRepeated = names.indexOf(name) !== names.lastIndexOf(name)
    const cells = rows.map((row) => (row[index] ?? '').trim())
    const values = cells.filter((cell) => cell !== '')
    return {
      ref: isRepeated ? `${name}#${nth}` : name,
      name,
      plain: plainName(name),
      cells,
      values,
      distinct: [...new Set(values)],
    }
  })
}

interface Search {
  readonly job: FitJob
  readonly columns: readonly Column[]
  readonly chosen: Map<string, Column>
  /** The fields that two columns or more could be. */
  readonly open: Set<string>
  readonly note: Note
}

function chooseColumns(job: FitJob, all: readonly Column[], note: Note): Pick<Search, 'chosen' | 'open'> {
  const columns = all.filter(({ name }) => name !== '' && !(job.rows === 'payments' && isPersonal(name)))
  const known = KNOWN_EXPORTS.find(({ has }) => has.every((plain) => all.some((one) => one.plain === plain)))
  if (known !== undefined && job.rows !== 'settled') note(known.note)
  const search: Search = { job, columns, chosen: new Map(), open: new Set(), note }
  for (const column of columns) {
    const twins = columns.filter(({ name }) => name === column.name)
    if (kindOf(job.schema, column.name) === undefined || search.chosen.has(column.name)) continue
    if (column.name !== 'amount' && twins.every(({ cells }) => areEqual(cells, column.cells)))
      search.chosen.set(column.name, column)
  }
  const amount = amountColumn(search)
  if (amount !== undefined) search.chosen.set('amount', amount)
  for (const field of Object.keys(job.known)) {
    if (field === 'amount' || search.chosen.has(field)) continue
    const column = columnFor(field, known?.meanings ?? {}, search)
    if (column !== undefined) search.chosen.set(field, column)
  }
  openKind(search)
  return search
}

/** Leaves the kind of rows to the user if none of its usual columns is certain, but another says that rows are of several kinds. */
function openKind({ job, columns, chosen, open, note }: Search): void {
  if (job.known['kind'] === undefined || chosen.has('kind') || open.has('kind')) return
  const taken = new Set(chosen.values())
  const telling = columns.filter(
    (column) => !taken.has(column) && asksForKind(column.name, column.distinct) !== undefined,
  )
  if (telling.length === 0) return
  open.add('kind')
  note(
    `${quotedNames(telling)} ${telling.length === 1 ? 'says' : 'say'} that some rows aren't payments: write the column with the kinds of rows in place of ${PLACEHOLDER}.`,
  )
}

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((cell, at) => cell === other[at])

const quotedNames = (columns: readonly Column[]): string => columns.map(({ ref }) => `"${ref}"`).join(', ')

/** The last rank of certain names: the field's own one and its most common one elsewhere. */
const CERTAIN_RANK = 2

/** The one column with the most certain name among those whose values fit. */
function columnFor(
  field: string,
  meanings: Readonly<Record<string, string>>,
  search: Search,
): Column | undefined {
  const { job, chosen, open, note } = search
  const taken = new Set(chosen.values())
  const columns = search.columns.filter(
    (column) => !taken.has(column) && kindOf(job.schema, column.name) === undefined,
  )
  // A gross amount has its own currency, which may differ from the payout's.
  const isGross = field === job.schema.currency && chosen.get('amount')?.plain.startsWith('gross') === true
  const first = [plainName(field), ...(isGross ? ['grosscurrency'] : [])]
  const ranks = [
    ...first.map((name) => [name]),
    ...(job.known[field] ?? []).map((names) => names.filter((name) => !first.includes(name))),
  ].map((names) => columns.filter(({ plain }) => meanings[plain] === undefined && names.includes(plain)))
  const all = [columns.filter(({ plain }) => meanings[plain] === field), ...ranks]
  for (const [rank, alike] of all.entries()) {
    const fitting = preferUtc(
      field,
      alike.filter((column) => {
        const why = misfitOf(field, column, { isSure: rank <= CERTAIN_RANK, search })
        if (why !== undefined) note(`"${column.ref}" is not mapped to ${field}: ${why}.`)
        return why === undefined
      }),
    )
    const [best, ...others] = fitting
    if (best === undefined) continue
    if (others.every(({ cells }) => best.cells.length > 0 && areEqual(cells, best.cells))) {
      const less = all.slice(rank).flatMap((some) => some.filter((other) => !fitting.includes(other)))
      if (less.length > 0)
        note(`${field} is mapped to "${best.ref}", the most likely of ${quotedNames([best, ...less])}.`)
      return best
    }
    open.add(field)
    note(`${field} is not mapped because it could be any of ${quotedNames(fitting)}. Choose one with --map.`)
    return undefined
  }
  return undefined
}

/** Prefers the times in UTC among several. */
function preferUtc(field: string, columns: readonly Column[]): readonly Column[] {
  const utc = field === 'createdAt' ? columns.filter(({ name }) => saysUtc(name)) : []
  return utc.length > 0 ? utc : columns
}

const EMAIL = /[^\s@]@[^\s@]+\.\p{L}/u
const DAY_ALONE =
  /^\d{1,4}(?:[/-]|\. ?)\d{1,2}(?:[/-]|\. ?)\d{1,4}\.?$|^(?:19|20)\d{6}$|^(?=.*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))[a-z., ]*\d{1,2}[a-z., /-]+\d{2,4}$/i
const DAY_NUMBER = /^\d{5}(?:[.,]\d+)?$/
/** The form of payment method types in the API. */
const TYPE_CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{5,}$/

/** Why the values of a column don't fit the field that its name suggests; undefined if they do. */
function misfitOf(
  field: string,
  { cells, values, distinct }: Column,
  { isSure, search: { job, chosen } }: { readonly isSure: boolean; readonly search: Search },
): string | undefined {
  if (values.some((value) => EMAIL.test(value))) return 'it has email addresses'
  const isCode = codeTest(job.schema, field)
  if (isCode !== undefined) {
    const odd = distinct.filter((value) => !isCode(value) && !isNothing(value)).slice(0, 3)
    const shown = odd.map((value) => JSON.stringify(value.slice(0, 40))).join(', ')
    if (odd.length > 0) return `it has values that the API does not know (${shown})`
    if (values.length === 0 && !isSure && field !== job.schema.currency)
      return 'the first rows have no value that shows its meaning'
  }
  if (job.rows === 'payments' && field === job.schema.id) {
    const amounts = chosen.get('amount')?.cells
    const without = cells.filter((cell, at) => cell === '' && (amounts?.[at] ?? '0') !== '').length
    if (without > 0 && without * 2 >= cells.length)
      return `${pluralize(without, 'row')} of the first ${cells.length} have none`
  }
  if (field === 'kind' && values.length === 0 && cells.length > 0) return 'the first rows have no value'
  // Where all rows are alike, what they are need not be asked.
  const isAlike = distinct.length === 1 && values.length === cells.length
  if (field === 'kind' && isAlike && rowKindOf(distinct[0] ?? '') === undefined)
    return `none of its values is a known kind of row (${listed(distinct)}); name it with --map and --kinds`
  if (field !== 'createdAt') return undefined
  if (job.rows !== 'settled' && values.length > 0 && values.every((value) => DAY_ALONE.test(value)))
    return 'its values have no time of day'
  if (values.length > 0 && values.every((value) => DAY_NUMBER.test(value)))
    return "its values are a spreadsheet's day numbers: format the column as yyyy-mm-dd hh:mm:ss, and export it again"
  return values.length > 0 && !values.some((value) => /\d/.test(value))
    ? 'its values are no times'
    : undefined
}

/** A test for the codes of a field; undefined for a field without codes. */
function codeTest(schema: FieldSchema, field: string): ((value: string) => boolean) | undefined {
  if (field === schema.currency) return (value) => exponentOf(value.toUpperCase()) !== undefined
  if (field === 'paymentMethod.paymentMethodType') return (value) => TYPE_CODE.test(value)
  const name = Object.hasOwn(schema.sets, field) ? schema.sets[field] : undefined
  if (name === undefined) return undefined
  const { values, form }: NamedSet = SETS[name]
  return (value) => values?.includes(value) === true || form?.pattern.test(value) === true
}

/**
 * The column of amounts. Every column of money that may be it counts, because a wrong one moves wrong money: only a name for what is
 * given back, or a header that has the fields' own names, decides between two that differ.
 */
function amountColumn(search: Search): Column | undefined {
  const { job, columns, open, note } = search
  const ranks = job.known['amount']
  if (ranks === undefined) return undefined
  const rankOf = ({ name, plain }: Column): number =>
    name === 'amount' ? -1 : [...ranks, [plain]].findIndex((names) => names.includes(plain))
  const isUsual = (column: Column): boolean => rankOf(column) < ranks.length
  const money = columns.filter(
    ({ name, values }) => name === 'amount' || values.length === 0 || values.some(isAmount),
  )
  const refunds = money.filter(({ name }) => namesMovement('refund', name))
  const mine = money.filter(({ name }) => job.moves !== undefined && namesMovement(job.moves, name))
  const toDo = mine.filter(({ name }) => !namesMoved(name))
  const payments = money
    .filter((column) => !refunds.includes(column) && !mine.includes(column))
    .filter((column) => isUsual(column) || (!namesOtherMoney(column.name) && hasDecimals(column)))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  const found =
    toDo.length === 0 ? [...payments, ...mine] : toDo.every(hasMostlyAmounts) ? toDo : [...toDo, ...payments]
  const [best] = found
  if (best === undefined) return undefined
  const has = (field: string): boolean => columns.some(({ name }) => name === field)
  const isOwn = job.required.every(has) && (job.either.length === 0 || job.either.some(has))
  // What was given back already is no more than a guess.
  const isNamed = payments.some(isUsual) || toDo.length > 0
  const twins = found.filter(({ name }) => name === best.name)
  const others = found.filter(
    (column) =>
      column !== best &&
      column.values.length > 0 &&
      // Amounts that are equal so far need not stay so if the names are equally certain.
      (isContrary(job, column, best) || (column.name !== best.name && rankOf(column) === rankOf(best))),
  )
  if (isNamed && (others.length === 0 || (best.name === 'amount' && isOwn && twins.length === 1))) {
    const alike = found.filter((column) => column.name !== best.name)
    if (alike.length > 0 && others.length === 0)
      note(`amount is mapped to "${best.ref}", the most likely of ${quotedNames([best, ...alike])}.`)
    return best
  }
  open.add('amount')
  if (job.rows === 'settled' && [best, ...others].every(({ name }) => namesDebit(name) || namesCredit(name)))
    note(
      `Rows have a debit or a credit. Join both in a mapping file, as join: {amount: [${[best, ...others].map(({ ref }) => ref).join(', ')}]}.`,
    )
  note(
    `The amount could be in ${[best, ...others].map(({ ref }) => `"${ref}"`).join(' or ')}: write its name in place of ${PLACEHOLDER}.`,
  )
  return undefined
}

/** Whether at least half of a column's cells are amounts. An empty one may be one that nobody has filled in. */
const hasMostlyAmounts = ({ cells, values }: Column): boolean =>
  cells.length === 0 ||
  (values.length > 0 && values.filter((value) => isAmount(value)).length * 2 >= values.length)

/** Whether a column has other money. A payment of which nothing was received has the same amount. */
const isContrary = ({ rows }: FitJob, { cells }: Column, best: Column): boolean =>
  cells.some(
    (cell, at) =>
      cell !== best.cells[at] && !(rows === 'payments' && (isEmpty(cell) || /^[^1-9]*$/.test(cell))),
  )

const isEmpty = (text: string): boolean => text === '' || isNothing(text)

const isAmount = (value: string): boolean => value.toLowerCase() === ALL || isMoney(value)

const hasDecimals = ({ values }: Column): boolean =>
  values.length > 0 &&
  values.every((value) => isMoney(value) && !DAY_ALONE.test(value)) &&
  // A word that is joined to its number may begin an ID.
  values.some(
    (value) => /\d[.,]\d\d(?!\d)|\p{Sc}/u.test(value) || (/\s|\d\p{L}/u.test(value) && namesCurrency(value)),
  )

interface Amounts {
  readonly units: FittedColumns['amounts']
  readonly flags: Pick<FittedColumns, 'amounts' | 'decimalComma' | 'thousandsComma'>
}

/** The units and the style of amounts. */
function fitAmounts(job: FitJob, { chosen, note }: Pick<Search, 'chosen' | 'note'>): Amounts {
  const column = chosen.get('amount')
  if (column === undefined) return { units: undefined, flags: {} }
  const currencies = chosen.get(job.schema.currency)?.cells
  const own = currencyIn(column.name) ?? ''
  const cells = column.cells.flatMap((amount, at) =>
    isEmpty(amount) || amount.toLowerCase() === ALL
      ? []
      : [{ row: at + 1, amount, currencyCode: currencies?.[at] ?? own }],
  )
  const empty = column.cells.filter(isEmpty).length
  if (empty > 0 && job.rows === 'requests')
    note(
      `${empty} of the first ${column.cells.length} rows have no amount and become bad rows: write all for all that is left, or add --empty-amount all.`,
    )
  const { numbers, other } = numbersOf(cells)
  const style =
    numbers === 'plain'
      ? {}
      : numbers === 'decimal-comma'
        ? { decimalComma: true as const }
        : { thousandsComma: true as const }
  if (numbers === 'thousands-comma')
    note(
      `Commas in "${column.ref}" separate thousands, which a mapping file must say, as thousandsComma: true: write its name in place of ${PLACEHOLDER}. -o yaml prints one.`,
    )
  if (other !== undefined && GROUPED.test(other) && !/\d[.,]\d\d?(?!\d)/.test(other))
    note(
      `"${other}" in "${column.ref}" may be thousands or have three decimals: correct such cells, as 1234 or 1234.00.`,
    )
  else if (other !== undefined)
    note(
      `Most amounts in "${column.ref}" have a decimal ${numbers === 'decimal-comma' ? 'comma' : 'point'}, but "${other}" does not: correct such cells.`,
    )
  const units = unitsOf(job, column, { cells, numbers }, note)
  return { units, flags: { ...(units === undefined ? {} : { amounts: units }), ...style } }
}

type AmountCell = Parameters<AmountForms['add']>[0]

const GROUPED = /\d[.,'\u2019 ]\d{3}(?![\d.,])/

/** The units of amounts; undefined for the job's own ones. */
function unitsOf(
  job: FitJob,
  { name, ref }: Column,
  { cells, numbers }: { readonly cells: readonly AmountCell[]; readonly numbers: NumberStyle },
  note: Note,
): FittedColumns['amounts'] {
  const forms = createAmountForms(numbers)
  const contrary = cells.flatMap((cell) => {
    const earlier = forms.add({ ...cell, amount: withoutSign(cell.amount) ?? cell.amount })
    return earlier === undefined ? [] : [[earlier, cell] as const]
  })[0]
  const kinds = forms.kinds()
  const fraction = cells.find(({ amount }) => /[1-9]/.test(amount.split(/[.,]/).slice(1).at(-1) ?? ''))
  const having = (form: RegExp) => cells.filter(({ amount }) => form.test(amount))
  const [grouped] = having(GROUPED)
  const shown = (cell: AmountCell | undefined): string => JSON.stringify(cell?.amount)
  const ask = (why: string): typeof PLACEHOLDER => {
    note(`${why}: write major (20 is 20.00) or minor (2000 is 20.00) in place of ${PLACEHOLDER}.`)
    return PLACEHOLDER
  }
  if (namesMinorUnits(name))
    return fraction !== undefined && kinds.has('major')
      ? ask(`"${ref}" names minor units, but has amounts such as ${shown(fraction)}`)
      : 'minor'
  if (contrary !== undefined) {
    const [one, two] = contrary.map((cell) => `row ${cell.row} has ${shown(cell)}`)
    return ask(`"${ref}" doesn't show its units, because ${one}, and ${two}`)
  }
  if (kinds.has('major')) {
    if (having(/^\d+[.,]0$/).length === cells.length)
      return ask(`The amounts in "${ref}" are whole numbers with ".0", such as ${shown(cells[0])}`)
    if (job.rows === 'payments') note(`"${ref}" has decimals, so it is read as major units (12.50).`)
    return 'major'
  }
  if (grouped !== undefined && exponentOf(grouped.currencyCode.toUpperCase()) !== 0)
    return ask(`The amounts in "${ref}" have no decimals, such as ${shown(grouped)}`)
  // Without whole numbers either, both units are the same, as in yen.
  if (!kinds.has('whole') && cells.length > 0)
    return job.rows !== 'payments' || having(/[.,]/).length > 0 ? 'major' : undefined
  if (job.rows !== 'payments') return cells.length === 0 ? 'major' : ask(`"${ref}" has whole numbers`)
  note(
    `"${ref}" is read as minor units: 2500 is 25.00 EUR. If 2500 means 2500.00 in this file, add --amounts major.`,
  )
  return undefined
}

/** The currency of every row, if no column has it: undefined if the rows need none. */
function currencyOf(
  job: FitJob,
  amount: Column | undefined,
  units: FittedColumns['amounts'],
  note: Note,
): string | undefined {
  const named = amount === undefined ? undefined : currencyIn(amount.name)
  const cells = (amount?.values ?? []).filter((value) => value.toLowerCase() !== ALL && !isNothing(value))
  const money = cells.map((cell) => splitMoney(cell, named ?? ''))
  const inCells = money.flatMap((one) => ('kind' in one ? [''] : (one.currencyCode ?? [])))
  const others = inCells.filter((one) => one !== named)
  const codes = new Set(inCells)
  const namesAll = money.length > 0 && inCells.length === money.length && !codes.has('')
  const mayBeInCells = kindOf(job.schema, 'amount') === 'amount-or-all'
  if (mayBeInCells && (namesAll || (units === 'minor' && named === undefined && codes.size === 0)))
    return undefined
  // A few cells of another currency are bad rows. If most are, the name is wrong.
  if (named !== undefined && others.length * 2 <= inCells.length) return named
  if (named === undefined && namesAll && codes.size === 1) return inCells[0]
  if (codes.size > 0 || !job.required.includes(job.schema.currency))
    note(
      codes.size === 0
        ? `No column names the currency: write its code, such as EUR, in place of ${PLACEHOLDER}.`
        : `The cells of "${amount?.ref}" don't name one currency for every row: write its code, such as EUR, in place of ${PLACEHOLDER}, or add a column with the currency of each row.`,
    )
  return PLACEHOLDER
}

/** The column of days and that of times, if one of each can only be meant together. */
function dayAndTime(job: FitJob, columns: readonly Column[], note: Note) {
  const names = job.known['createdAt']?.flat() ?? []
  const having = (form: RegExp) =>
    columns.filter(({ values }) => values.length > 0 && values.every((value) => form.test(value)))
  const days = having(DAY_ALONE).filter(({ plain }) => names.includes(plain))
  const times = having(TIME_ALONE).filter(({ plain }) => TIME_NAME.test(plain))
  const [day, time] = [...days, ...times]
  if (days.length !== 1 || times.length !== 1 || day === undefined || time === undefined) return undefined
  const parts = [day.ref, time.ref]
  const cells = day.cells.map((cell, at) => `${cell} ${time.cells[at] ?? ''}`.trim())
  note(
    `"${day.ref}" has the day and "${time.ref}" the time. A mapping file joins them, as join: {createdAt: [${parts.join(', ')}]}: write its name in place of ${PLACEHOLDER}. -o yaml prints one.`,
  )
  const values = cells.filter((cell) => cell !== '')
  return { parts, column: { ...day, ref: parts.join(' '), cells, values, distinct: [...new Set(values)] } }
}

const TIME_ALONE = /^\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?$/i
const TIME_NAME = /time|zeit|heure|hora|ora|tijd|uur|godz|czas/

interface Times {
  readonly flags: Pick<FittedColumns, 'dateFormat' | 'timezone' | 'timezoneColumn' | 'assumeUtc'>
  readonly zone: Column | undefined
}

function fitTimes(time: Column | undefined, unused: readonly Column[], note: Note): Times {
  if (time === undefined) return { flags: {}, zone: undefined }
  const isUtc = saysUtc(time.name)
  const utc = isUtc ? { assumeUtc: true as const } : {}
  if (isUtc) note(`"${time.ref}" says UTC, so times without a zone are read as UTC.`)
  const readings = readingsOf(time.values)
  const [reading, other] = readings
  if (time.values.length === 0) return { flags: utc, zone: undefined }
  if (reading === undefined || other !== undefined) {
    note(
      reading === undefined
        ? `No format fits the times in "${time.ref}", such as ${time.distinct
            .slice(0, 2)
            .map((value) => JSON.stringify(value.slice(0, 40)))
            .join(' and ')}: write it in place of ${PLACEHOLDER}, in Unicode tokens.`
        : `The times in "${time.ref}", such as ${JSON.stringify(time.values[0])}, fit ${readings.map(({ pattern }) => `"${pattern}"`).join(' and ')}: write the right one in place of ${PLACEHOLDER}.`,
    )
  }
  const dateFormat = reading === undefined || other !== undefined ? PLACEHOLDER : reading.pattern
  if (reading?.misfit !== undefined && other === undefined)
    note(
      `Some times in "${time.ref}" don't fit the others, such as ${JSON.stringify(reading.misfit.slice(0, 40))}: correct such cells.`,
    )
  const format = dateFormat === undefined ? {} : { dateFormat }
  const local = readings.find((one) => one.local !== undefined)?.local
  const zone = unused.find(
    ({ name, values }) =>
      namesZone(name) && values.length > 0 && values.every((value) => zoneInCell(value) !== undefined),
  )
  if (local === undefined || isUtc) return { flags: { ...format, ...utc }, zone: undefined }
  if (zone !== undefined) {
    note(`"${zone.ref}" has the time zone of each row.`)
    return { flags: { ...format, timezoneColumn: zone.ref }, zone }
  }
  note(
    `The times in "${time.ref}" name no zone, such as ${JSON.stringify(local)}: write theirs in place of ${PLACEHOLDER}, such as Europe/Berlin, or UTC.`,
  )
  return { flags: { ...format, timezone: PLACEHOLDER }, zone: undefined }
}

const listed = (values: readonly string[]): string =>
  values
    .slice(0, 5)
    .map((value) => value.slice(0, 40))
    .join(', ')

/** What asks which rows are meant. */
function openRows(
  job: FitJob,
  {
    unusedColumns,
    chosen,
    times,
    note,
  }: { readonly unusedColumns: readonly Column[]; readonly times: Times } & Pick<Search, 'chosen' | 'note'>,
): { readonly filters: readonly Column[]; readonly isFilterOpen: boolean } {
  const questionOf = job.rows === 'payments' ? asksForKind : asksForDecision
  const filters = (job.rows === 'settled' ? [] : unusedColumns).flatMap((column) => {
    if (column.values.length === 0 || column === times.zone || hasDecimals(column)) return []
    const hasEmpty = column.values.length < column.cells.length
    const question = questionOf(column.name, column.distinct, chosen.get('amount')?.name ?? '', hasEmpty)
    if (question === undefined) return []
    const { why, keep } = question
    note(
      `"${column.ref}" ${why}. In a mapping file, name the rows to keep, as where: {${column.ref}: [${keep.length === 0 ? PLACEHOLDER : listed(keep)}]}, and write its name in place of ${PLACEHOLDER}; without one, every row counts. The values are: ${listed(column.distinct)}.`,
    )
    return [column]
  })
  const amount = chosen.get('amount')
  const negative = amount?.values.find(isNegative)
  const isOtherKind = negative !== undefined && job.rows === 'payments'
  if (negative !== undefined && job.rows !== 'settled')
    note(
      isOtherKind
        ? `"${amount?.ref}" has negative amounts, such as ${JSON.stringify(negative)}: refunds or fees, not payments. In a mapping file, keep the payments by another column (where:), and write its name in place of ${PLACEHOLDER}, or remove these rows.`
        : `"${amount?.ref}" has negative amounts, such as ${JSON.stringify(negative)}, which become bad rows.`,
    )
  // A column that is named for its field is read even if it isn't mapped.
  const odd = [...chosen.values(), ...unusedColumns].filter((column) => {
    const field = Object.keys(job.schema.sets).find((path) => folded(path) === folded(column.name))
    const isCode = field === undefined ? undefined : codeTest(job.schema, field)
    if (isCode === undefined) return false
    const outside = column.distinct
      .filter((value) => !isCode(value) && !isCode(value.toUpperCase()) && !isNothing(value))
      .map((value) => `${JSON.stringify(value)}: ${PLACEHOLDER}`)
    if (outside.length > 0)
      note(
        `"${column.ref}" has ${pluralize(outside.length, 'value')} that the API does not know. In a mapping file, say what they are, as values: {${field}: {${outside.slice(0, 5).join(', ')}}}, and write its name in place of ${PLACEHOLDER}.`,
      )
    return outside.length > 0
  })
  return { filters, isFilterOpen: isOtherKind || odd.length > 0 }
}

function noteRepeats(id: Column | undefined, { rows }: FitJob, note: Note): void {
  if (id === undefined || rows !== 'payments' || id.distinct.length === id.values.length) return
  note(`"${id.ref}" has the same value in several rows. Only the last row with a paymentId counts.`)
}

/** Notes a similar name, which is not enough to map a column, but may be a typo. */
function noteTypos(columns: readonly Column[], missing: readonly string[], note: Note): void {
  for (const { ref, name, plain } of columns) {
    const meant = closest(name, missing)
    if (meant !== undefined && plainName(meant) !== plain)
      note(`"${ref}" is not mapped. If it means ${meant}, use --map.`)
  }
}

const SHOWN = 10

function notePersonal(unused: readonly Column[], note: Note): void {
  const columns = unused.filter(({ name }) => isPersonal(name))
  if (columns.length === 0) return
  const more = columns.length > SHOWN ? ` and ${columns.length - SHOWN} more` : ''
  note(
    `Never mapped, because they may identify a person and records cannot be removed: ${quotedNames(columns.slice(0, SHOWN))}${more}.`,
  )
}
