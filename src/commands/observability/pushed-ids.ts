import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { firstRecords } from '../../bulk/csv.ts'
import { withoutGuard } from '../../bulk/csv-line.ts'
import type { Invocation } from '../../cli/invocation.ts'
import type { ImportSource } from './import-source.ts'

/**
 * What became of each record of a push, kept while it runs: a push that was interrupted and resumed names the records of
 * both runs. Kept for every format, since the resumed run may ask for another one.
 */
export function idsFileOf({ context }: Invocation, { input, reading }: ImportSource): string {
  const name = createHash('sha256').update(reading).update(input.head).digest('hex').slice(0, 32)
  return join(context.stateFolder, 'imports', `push-${name}.csv`)
}

/** The paymentIds of the records that were made, in the order of the input. */
export function idsIn(path: string): readonly string[] {
  return firstRecords(readFileSync(path), {}).flatMap(({ cells: [, paymentId = '', outcome] }) =>
    outcome === 'created' ? [withoutGuard(paymentId)] : [],
  )
}

export const forgetIds = (path: string): void => rmSync(path, { force: true })
