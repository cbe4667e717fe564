import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../../cli/command/context.ts'
import { systemCode } from '../../../system-code.ts'
import { shellWord } from '../../../shell-word.ts'
import type { Listing } from '../../../ledger/listing.ts'
import type { StoredRecord } from '../../../ledger/files/record.ts'
import { formatMoney } from '../../../money/format.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { failed, ok, problem, warning } from './finding.ts'

/** More open writes than these are told by their number. */
const MOST_TOLD = 10
/** How every database of SQLite begins. */
const HEADER = 'SQLite format 3\0'

/** Looked at without being opened: that would make one where there is none, and count as a use of it. */
export function sandboxFinding({ sandboxFolder }: Context): CheckResult {
  const check = 'sandbox'
  const path = join(sandboxFolder, 'sandbox.db')
  if (!existsSync(path)) return ok(check, 'not used yet')
  try {
    return beginningOf(path) === HEADER
      ? ok(check, path)
      : problem(check, `${path} is no database`, {
          remedy: 'Emptied, it works again; the old file is kept beside it',
          next: ['pay sandbox reset'],
        })
  } catch (error) {
    return problem(check, `${path} cannot be read (${systemCode(error) ?? 'unknown reason'})`, {
      next: [`chmod 600 ${shellWord(path)}`],
    })
  }
}

function beginningOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEADER.length)
    return bytes.toString('latin1', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

/** What was sent and is not known to be done, with the command that finds out. Nothing is touched. */
export async function ledgerFindings({ ledger }: Context): Promise<readonly CheckResult[]> {
  let listing: Listing
  try {
    // Of what has ended nothing is shown: it is read for its checksums.
    listing = await (await ledger()).list({ states: ['sending', 'in-doubt'], isLook: true })
  } catch (error) {
    return [failed('ledger', error)]
  }
  const { records, damaged } = listing
  const told = records.slice(0, MOST_TOLD).map(openWrite)
  const rest = records.length - told.length
  return [
    ok('ledger', ledgerWords(listing)),
    ...told,
    ...(rest === 0
      ? []
      : [warning('open write', `and ${rest} more`, { next: ['pay ops list --state in-doubt'] })]),
    ...damaged.files.map(({ name, path }) =>
      warning('ledger', `${path} is damaged: it keeps other writes to its target out`, {
        next: [`pay ops show ${name}`, `pay ops abandon ${name}`],
      }),
    ),
    ...damaged.histories.map(({ path, lines }) =>
      warning('ledger', `${path} has ${lines === 1 ? 'a damaged line' : `${lines} damaged lines`}`, {
        remedy: 'Cut short, or not as they were written: what they recorded is lost. Compare with a backup',
      }),
    ),
  ]
}

function ledgerWords({ records, damaged }: Listing): string {
  if (records.length > 0) return `${records.length} open`
  return damaged.files.length > 0 ? 'nothing that can be read is in doubt' : 'nothing is in doubt'
}

function openWrite(record: StoredRecord): CheckResult {
  const { id, operation, target, amount, currencyCode, state, createdAt, profile } = record
  const money = amount === null ? '' : ` ${formatMoney(amount, currencyCode ?? undefined)}`
  const what = `${operation}${money}${target === null ? '' : ` of ${target}`}${profile === null ? '' : `, profile ${profile}`}, ${createdAt}`
  const check = 'open write'
  return state === 'sending'
    ? ok(check, `${what}: a process is at work on it`)
    : warning(check, `${what}: nobody knows whether it was done`, {
        remedy: 'Its target takes no other write until that is found out',
        next: [`pay ops resolve ${id}`],
      })
}
