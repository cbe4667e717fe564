import { expect, onTestFinished, test, vi } from 'vitest'
import { asPayError } from '../../../src/cli/report/report-error.ts'
import { unwritableHint } from '../../../src/client/config/update-profiles.ts'
import { reading } from '../../../src/client/config/read-profiles.ts'
import { overtaken, ticketAbandoned } from '../../../src/client/ledger/ledger-errors.ts'
import { errorsOf as ledgerErrors } from '../../../src/client/ledger/ledger-file.ts'
import { newerTables, olderTables } from '../../../src/client/ledger/team/store.ts'
import { unusableListError } from '../../../src/commands/find/rows.ts'
import { stillPending } from '../../../src/commands/read-payments.ts'
import { makeEphemeralFolder } from '../../../src/commands/sandbox/ephemeral-folder.ts'
import { PayError } from '../../../src/errors.ts'
import { sign } from '../../../src/rows/batch/approve/ssh-keygen.ts'
import { planReplaced } from '../../../src/rows/batch/file/plan-errors.ts'
import { IS_LINK, NOT_REGULAR, unusableBecause, unusableFile } from '../../../src/rows/file-errors.ts'
import { inputChanged } from '../../../src/rows/keep/input-hash.ts'
import { asPayError as asRunError, serviceFailing } from '../../../src/rows/send/run-errors.ts'
import * as sandbox from '../../../src/sandbox/database/database-error.ts'
import { startSandbox } from '../../../src/sandbox/library.ts'
import { createOpsBench } from '../ops/ops-bench.ts'

/** What is said of faults that no command line provokes. */

/** An error of SQLite, by its result code. */
const ofSqlite = (errcode: number) => Object.assign(new Error('SQLite fails'), { errcode })
const ofSystem = (code: string) => Object.assign(new Error('the system fails'), { code })

const rejectedBy = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

function saidBy(error: unknown): string {
  if (!(error instanceof PayError)) return String(error)
  const { hint, next = [] } = error.details
  return [
    `[${error.exitCode}] ${error.message}`,
    ...(hint === undefined ? [] : [`  Hint   ${hint}`]),
    ...next.map((line) => `  Next   ${line}`),
  ].join('\n')
}

test('faults', async () => {
  const bench = createOpsBench()
  await bench.lostRefund('A-1')
  const [record] = bench.records().slice(-1)
  if (record === undefined) throw new Error('no record')
  const { now } = bench.clock
  const ledger = ledgerErrors('/state/ledger.db')
  const own = await startSandbox({})
  vi.stubEnv('PATH', '/nowhere')
  vi.stubEnv('TMPDIR', '/nowhere')
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await own.close()
  })
  const fault = { on: 'GET /payments', do: 'hang', skip: 1000 }
  const faults = await rejectedBy(
    Array.from({ length: 101 }).reduce<Promise<unknown>>(
      (before) => before.then(() => own.faults.add(fault)),
      Promise.resolve(),
    ),
  )
  const errors = [
    faults,
    await rejectedBy(sign('key', 'text')),
    thrownBy(makeEphemeralFolder),
    unusableListError('repeats itself'),
    overtaken(record, now),
    ticketAbandoned(record, now),
    newerTables(),
    olderTables(),
    ...[8, 10, 11, 13, 14].map((code) => ledger.explain(ofSqlite(code))),
    ...['EBUSY', 'EDQUOT', 'EPERM'].map((code) => ledger.explain(ofSystem(code))),
    ledger.rolledBack(ofSqlite(10)),
    ledger.locked(ofSqlite(5)),
    ledger.replaced(),
    ...[5, 8, 10, 11, 13].map((code) => sandbox.toDatabaseError(ofSqlite(code), '/state/sandbox.db')),
    sandbox.newer('/state/sandbox.db'),
    sandbox.older('/state/sandbox.db'),
    sandbox.notSandboxDatabase('/state/sandbox.db'),
    sandbox.unreadableDocument(),
    ...['ENOSPC', 'EROFS', 'EACCES', 'ENOTDIR', 'EMFILE'].map((code) =>
      unusableBecause('out.csv', 'written', code, undefined),
    ),
    unusableFile('out.csv', 'written', IS_LINK),
    unusableFile('out.csv', 'written', NOT_REGULAR),
    inputChanged(),
    serviceFailing(20),
    asRunError(ofSystem('ENOSPC')),
    asRunError(ofSystem('EMFILE')),
    planReplaced('in.plan.ndjson'),
    stillPending('2 rows are', 'pay batch verify in.plan.ndjson'),
    thrownBy(() =>
      reading('/config/config.json', () => {
        throw ofSystem('EACCES')
      }),
    ),
    ...(['none', 'unknown', 'applied'] as const).flatMap((effect) => [
      asPayError(new Error('it broke'), effect),
      asPayError(new Error('it broke'), effect, true),
    ]),
  ]
  const hints = ['EIO', 'ENOSPC', 'EACCES'].map((code) => unwritableHint(code, '/config'))
  const text = [...errors.map(saidBy), ...hints].join('\n\n')
  await expect(`${text}\n`).toMatchFileSnapshot('../../golden/errors/faults.txt')
})
