import { dirname, resolve } from 'node:path'
import { InputHash } from '../../keep/input-hash.ts'
import { readRecords } from '../../read/csv.ts'
import { withoutGuard } from '../../read/csv-line.ts'
import { decodeInput } from '../../read/decode.ts'
import { encodingOf } from '../../read/encodings.ts'
import { openFile } from '../../read/input.ts'
import { encodedRejects, ndjsonRejects, tableRejects } from '../../read/rejects.ts'
import type { Rejects } from '../../read/rejects.ts'
import { readHeader } from '../../read/table.ts'
import { PayError } from '../../../errors.ts'
import { formatMoney } from '../../../money/format.ts'
import type { PlanFile } from '../file/read-plan.ts'
import { REASON_NOT_DONE } from '../plan.ts'
import type { PlanRow, PlanSource } from '../plan.ts'

/** The rows of a plan as they came, for the people who correct them. */
export interface InputRows {
  /** The names of the columns; undefined for NDJSON, whose rows are single cells. */
  readonly names: readonly string[] | undefined
  readonly rejects: Rejects
  /** The cells of a row. Ask in the order of the rows. */
  readonly cellsOf: (row: PlanRow) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

type Plan = Pick<PlanFile, 'header' | 'input'>

/** The columns of rows that don't come from the input. */
const OWN_COLUMNS = ['paymentId', 'orderId', 'amount', 'currencyCode', 'reason', 'ticket', 'final'] as const

/** Opens the input of a plan, or returns undefined if it has changed or gone since. `planPath` is absolute. */
export async function openInputRows(
  planPath: string,
  { header, input }: Plan,
): Promise<InputRows | undefined> {
  const { source } = header
  if (source.path === undefined) return undefined
  const path = resolve(dirname(planPath), source.path)
  const open = async () => (await decodeInput(await openFile(path, path), encodingOf(source.encoding))).input
  try {
    const hash = new InputHash(0, undefined)
    for await (const chunk of (await open()).from(0)) hash.add(chunk)
    if (hash.digest.hash !== input.hash) return undefined
    return await rowsIn(await open(), source)
  } catch (error) {
    if (error instanceof PayError) return undefined
    throw error
  }
}

async function rowsIn(input: Awaited<ReturnType<typeof openFile>>, source: PlanSource): Promise<InputRows> {
  const { format, delimiter, skipLines } = source
  const header = format === 'csv' ? readHeader(input.head, '', { delimiter, skipLines }) : undefined
  const isRejects = header?.names.includes(REASON_NOT_DONE) === true
  const guarded = (cells: readonly string[]) => (isRejects ? cells.map(withoutGuard) : cells)
  const start = header?.start ?? { byte: 0, line: 1 }
  const records = readRecords(input.from(start.byte), header?.form ?? 'lines', start)
  let block: readonly { readonly cells: readonly string[] }[] = []
  let before = 0
  const names = header === undefined ? undefined : guarded(header.names)
  return {
    names,
    rejects: await rejectsOf(source, names),
    cellsOf: async ({ row }) => {
      while (row > before + block.length) {
        const next = await records.next()
        if (next.done === true) return []
        before += block.length
        block = next.value.records
      }
      return guarded(block[row - before - 1]?.cells ?? [])
    },
    close: async () => void (await records.return(undefined)),
  }
}

/** The rows as the plan has them, for an input that has changed or gone. */
export async function ownRows({ header: { source } }: Pick<Plan, 'header'>): Promise<InputRows> {
  const names = source.format === 'csv' ? OWN_COLUMNS : undefined
  return {
    names,
    rejects: await rejectsOf(source, names),
    cellsOf: async (row) => {
      const fields = ownFields(row)
      if (names === undefined) return [JSON.stringify(fields)]
      return OWN_COLUMNS.map((name) => fields[name] ?? '')
    },
    close: async () => undefined,
  }
}

/** The fields of a row. Amounts name their currency, so that they can be read without any flag. */
function ownFields(row: PlanRow): Readonly<Record<(typeof OWN_COLUMNS)[number], string | undefined>> {
  const { paymentId, orderId, amount, currencyCode, takesAll, reason, ticket, final } = row
  const money =
    amount === undefined
      ? undefined
      : currencyCode === undefined
        ? String(amount)
        : formatMoney(amount, currencyCode)
  return {
    paymentId,
    orderId,
    amount: takesAll === true ? 'all' : money,
    currencyCode,
    reason,
    ticket,
    final: final === undefined ? undefined : String(final),
  }
}

/** The beginning of rejects, by which they are recognized without a look at the input. */
export async function rejectsOf(
  { format, delimiter = ',', encoding, hasMark }: PlanSource,
  names: readonly string[] = OWN_COLUMNS,
): Promise<Rejects> {
  const rejects =
    format === 'csv' ? tableRejects(names, delimiter, REASON_NOT_DONE) : ndjsonRejects(REASON_NOT_DONE)
  return encodedRejects(rejects, { encoding: encodingOf(encoding) ?? 'UTF-8', hasMark })
}
