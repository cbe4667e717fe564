import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { earlierSandboxTest } from '../../../cli/command/sandbox-identity.ts'
import type { Context } from '../../../cli/command/context.ts'
import type { TeamChoice } from '../../../cli/account/open-ledger.ts'
import { parseLedgerUrl } from '../../../client/config/ledger-choice.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import { systemCode } from '../../../files/system-code.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { missingAt } from '../../../client/ledger/damaged-file.ts'
import { ledgerPath } from '../../../client/ledger/ledger-file.ts'
import type { Listing } from '../../../client/ledger/listing.ts'
import { OPEN_STATES } from '../../../client/ledger/record.ts'
import type { StoredRecord } from '../../../client/ledger/record.ts'
import { formatMoney } from '../../../money/format.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { lastNumber, successorOf } from '../../../files/successors.ts'
import { failed, ok, problem, warning } from './check-result.ts'

/** Further open writes are only counted. */
const MAX_LISTED = 10
/** The first bytes of every SQLite database. */
const HEADER = 'SQLite format 3\0'

/** Checks the file without opening the database, which would create a missing one. */
export function checkSandbox({ sandboxFolder }: Context): CheckResult {
  const check = 'sandbox'
  const first = join(sandboxFolder, 'sandbox.db')
  const path = successorOf(first, lastNumber(first))
  if (!existsSync(path)) return ok(check, 'not used yet')
  try {
    return readHeader(path) === HEADER
      ? ok(check, path)
      : problem(check, `${path} is not a database`, {
          remedy: 'Reset the sandbox, which keeps this file and begins another one',
          next: ['pay sandbox reset'],
        })
  } catch (error) {
    return problem(check, `${path} cannot be read (${systemCode(error) ?? 'unknown reason'})`, {
      next: [`chmod 600 ${shellWord(path)}`],
    })
  }
}

function readHeader(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEADER.length)
    return bytes.toString('latin1', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

/** The open writes and the damage in the ledger, with the commands that resolve them. Changes nothing. */
export async function checkLedger(
  context: Context,
  account: Account | undefined,
): Promise<readonly CheckResult[]> {
  let listing: Listing
  try {
    const all = await (await context.ledger(account)).list({ states: OPEN_STATES, checksEnded: true })
    const isEarlier = await earlierSandboxTest(context)
    listing = { ...all, records: all.records.filter((record) => !isEarlier(record)) }
  } catch (error) {
    return [failed('ledger', error)]
  }
  const { records, damage } = listing
  const listed = records.slice(0, MAX_LISTED).map(describeOpenWrite)
  const rest = records.length - listed.length
  return [
    ok('ledger', describeLedger(listing)),
    ...(account?.ledger.kind === 'team' ? await checkTeam(context, account.ledger) : checkFile(context)),
    ...listed,
    ...(rest === 0
      ? []
      : [warning('open write', `and ${rest} more`, { next: ['pay ops list --state in-doubt'] })]),
    ...damage.records.map(({ id }) =>
      warning('ledger', `the record ${id} is damaged and may block other writes`, {
        next: [`pay ops abandon ${id}`],
      }),
    ),
    ...(damage.isMiscounted
      ? [
          warning('ledger', 'a record of an open write is missing, which blocks every write', {
            next: ['pay ops abandon --damaged-ledger'],
          }),
        ]
      : []),
  ]
}

/** Reports the tables and indexes that this machine's ledger lacks. */
const checkFile = ({ stateFolder }: Context): readonly CheckResult[] =>
  missingAt(ledgerPath(stateFolder)).map((name) =>
    problem('ledger', `it lacks ${name}, so no write can begin`, {
      next: ['pay ops abandon --damaged-ledger'],
    }),
  )

/** A clock that is off by more makes a write seem to come from the future. */
const MOST_CLOCK_MS = 5000

/** The database of a team's ledger: what would surprise its members. */
async function checkTeam(context: Context, choice: TeamChoice): Promise<readonly CheckResult[]> {
  const check = 'team ledger'
  const { teamFacts } = await import('../../../client/ledger/team/set-up.ts')
  const facts = await teamFacts(await context.teamStore(choice, {}), context.now)
  const address = parseLedgerUrl(choice.url)
  const isEncrypted = 'isEncrypted' in address && address.isEncrypted
  const seconds = (Math.abs(facts.aheadMs) / 1000).toFixed(1)
  return [
    ok(
      check,
      `PostgreSQL ${facts.serverVersion}, primary, ${isEncrypted ? 'TLS' : 'not encrypted, on this machine'}, round trip ${facts.roundTripMs} ms`,
    ),
    ...(facts.missingIndexes.length > 0
      ? [
          problem(
            check,
            `the index ${facts.missingIndexes.join(' and ')} is missing or not valid, so no write can begin`,
            {
              remedy: "The database's owner has to recreate it",
              next: ['pay ledger init --upgrade'],
            },
          ),
        ]
      : []),
    ...(facts.mayChangeAll
      ? [
          warning(
            check,
            'this user may do more than a member needs: remove records, or change any of their columns',
            {
              remedy: 'Use one that has only GRANT pay_writer',
            },
          ),
        ]
      : []),
    ...(Math.abs(facts.aheadMs) > MOST_CLOCK_MS
      ? [
          warning(
            check,
            `its clock is ${seconds} s ${facts.aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`,
          ),
        ]
      : []),
  ]
}

function describeLedger({ records, damage }: Listing): string {
  if (records.length > 0) return `${records.length} open`
  return damage.records.length > 0 || damage.isMiscounted
    ? 'no readable record is in doubt'
    : 'nothing is in doubt'
}

function describeOpenWrite(record: StoredRecord): CheckResult {
  const { id, operation, target, amount, currencyCode, state, createdAt, profile, user, host, leaseUntil } =
    record
  const money = amount === null ? '' : ` of ${formatMoney(amount, currencyCode ?? undefined)}`
  const what = `${operation}${money}${target === null ? '' : ` on ${target}`}${profile === null ? '' : `, profile ${profile}`}${leaseUntil === undefined ? '' : `, by ${user}@${host}`}, ${createdAt}`
  const check = 'open write'
  return state === 'sending'
    ? ok(check, `${what}: a process is still sending it`)
    : warning(check, `${what}: outcome unknown`, {
        remedy: 'It blocks other writes to its target until it is resolved',
        next: [`pay ops resolve ${id}`],
      })
}
