import { join, resolve } from 'node:path'
import type { PlanFile } from '../../../batch/file/read-plan.ts'
import { applyRows } from '../../../batch/apply/run.ts'
import type { Applied, ApplyOptions } from '../../../batch/apply/run.ts'
import { openInputRows, ownRows } from '../../../batch/apply/input-rows.ts'
import { journalDamaged, openJournal } from '../../../batch/apply/journal.ts'
import type { Journal } from '../../../batch/apply/journal.ts'
import { resultOfWrite } from '../../../batch/apply/known-rows.ts'
import type { RowResult } from '../../../batch/apply/row-result.ts'
import { callOf, rowKey, OPERATIONS } from '../../../batch/apply/ready-row.ts'
import type { ReadyRow } from '../../../batch/apply/ready-row.ts'
import { summarize } from '../../../batch/apply/summary.ts'
import type { ApplySummary } from '../../../batch/apply/summary.ts'
import { writeFiles } from '../../../batch/apply/write-files.ts'
import { usingFile } from '../../../bulk/keep/file-errors.ts'
import { refuseUnwritable } from '../../../bulk/keep/row-files.ts'
import { lockFile } from '../../../bulk/keep/lock-file.ts'
import { AdaptiveLimiter } from '../../../bulk/send/adaptive-limiter.ts'
import { paceTransport } from '../../../bulk/send/paced-transport.ts'
import { Patience } from '../../../bulk/send/patience.ts'
import { shortMessage } from '../../../bulk/send/row-message.ts'
import { ticketKey } from '../../../calls/build-intent.ts'
import { targetOf } from '../../../cli/command/request-target.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { checkPrivateFolder, makePrivateFolder } from '../../../private-folder.ts'
import { progressOn } from '../../row-progress.ts'
import { rowLimitOf } from '../row-limits.ts'
import type { ApplySettings } from './read-settings.ts'
import type { Client } from '../../../calls/client-port.ts'
import { resolveOpen } from '../../../cli/resolve-open.ts'
import type { WholeLedger } from '../../../ledger/ledger.ts'
import { OPEN_STATES } from '../../../ledger/record.ts'

/** Each row needs two requests; more connections slow the ledger down, which syncs every write. */
const MAX_CONNECTIONS = 32

export interface LoadedPlan {
  readonly plan: PlanFile
  readonly rows: Iterable<ReadyRow>
  /** What earlier runs have noted. */
  readonly known: ReadonlyMap<number, RowResult>
  /** Where journals and locks are. */
  readonly folder: string
}

export interface SentPlan extends Applied {
  readonly summary: ApplySummary
  readonly rows: Iterable<ReadyRow>
  /** Why the results or rejects could not be written. */
  readonly fileProblem: PayError | undefined
}

/** Does what is left of a plan, as the only process of this machine, and writes results and rejects. */
export async function sendPlan(
  invocation: Invocation,
  settings: ApplySettings,
  loaded: LoadedPlan,
): Promise<SentPlan> {
  const { context } = invocation
  const { plan, rows, folder } = loaded
  const { header, trailer } = plan
  const { planId, operation, createdAt } = header
  for (const path of [context.stateFolder, folder]) checkPrivateFolder(path, context.uid)
  usingFile(folder, 'written', () => makePrivateFolder(folder))
  for (const path of [settings.results, settings.rejects])
    if (path !== undefined) refuseUnwritable(resolve(context.cwd, path))
  const release = lockFile(join(folder, `${planId}.lock`), () => conflict(settings.plan))
  try {
    const begun = { planId, operation, createdAt, plan: settings.planPath, ready: trailer.ready }
    const journal = openJournal(folder, begun, { isRestarted: settings.isRestarted })
    const startedMs = context.now().getTime()
    let applied: Applied
    try {
      applied = await sendRows(invocation, settings, loaded, journal)
    } finally {
      closeQuietly(journal)
    }
    if (!applied.isBlank) invocation.markWritten()
    const seconds = (context.now().getTime() - startedMs) / 1000
    const summary = summarize({ planId, trailer }, rows, applied.results, seconds)
    const fileProblem = await writtenFiles(invocation, settings, plan, { ...applied, summary })
    return { ...applied, summary, rows, fileProblem }
  } finally {
    release()
  }
}

/** Rows that a full disk keeps out of the journal are compared with their payments again; the ledger has what was sent. */
function closeQuietly(journal: Journal): void {
  try {
    journal.close()
  } catch {
    // See above.
  }
}

async function sendRows(
  invocation: Invocation,
  settings: ApplySettings,
  { plan: { header, trailer }, rows, known, folder }: LoadedPlan,
  journal: Journal,
): Promise<Applied> {
  const { context } = invocation
  const { stop, abandon } = context.interruption
  const account = await invocation.account()
  const target = targetOf(account, context)
  let ended = 0
  const progress = progressOn(invocation, { size: trailer.ready, bytesRead: () => ended })
  const limiter = new AdaptiveLimiter({
    now: () => context.now().getTime(),
    sleep: context.sleep,
    concurrency: settings.concurrency,
    maxConcurrency: MAX_CONNECTIONS,
    rate: settings.rate,
  })
  const patience = new Patience(settings.maxWaitMs, context.now)
  const onStop = () => {
    limiter.recheck()
    progress.printAbove(
      'Interrupted: beginning no more rows, waiting for those in progress. Interrupt again to stop waiting; their outcome is then unknown.',
    )
  }
  const recheck = () => limiter.recheck()
  stop.addEventListener('abort', onStop, { once: true })
  abandon.addEventListener('abort', recheck, { once: true })
  try {
    const client = await invocation.clientOf(account, {
      connections: settings.concurrency ?? MAX_CONNECTIONS,
      printAbove: progress.printAbove,
      pace: (transport) =>
        paceTransport(transport, {
          limiter,
          patience,
          now: context.now,
          onWait: progress.announceWait,
          returnsWrites: true,
        }),
    })
    const ledger = await context.ledger(account)
    const limit = rowLimitOf(account, OPERATIONS[header.operation])
    const keyOf = (row: ReadyRow): string =>
      row.ticket === undefined ? rowKey(header, row) : ticketKey(target, callOf(header, row), row.ticket)
    return await applyRows({
      plan: header,
      rows,
      keyOf,
      journal: known,
      elsewhere: ledger.team && ((row) => madeElsewhere(ledger, row, keyOf(row))),
      note: journal.note,
      damaged: (why) => journalDamaged(folder, header.planId, why),
      ...ledgerPorts(ledger, client, invocation.settings),
      call: client.call,
      forbids: ({ currencyCode, amount }) => limit(amount, currencyCode),
      clean: (text) => shortMessage(text, invocation.cleanText) ?? '',
      concurrency: settings.concurrency ?? MAX_CONNECTIONS,
      maxFailures: settings.maxFailures,
      patience,
      stop,
      onProgress: (counts) => {
        ended = counts.rows
        progress.show(counts)
      },
    })
  } finally {
    stop.removeEventListener('abort', onStop)
    abandon.removeEventListener('abort', recheck)
    limiter.close()
    await progress.end()
  }
}

/** What another machine has made of a row. */
async function madeElsewhere(
  ledger: WholeLedger,
  row: ReadyRow,
  key: string,
): Promise<RowResult | 'open' | undefined> {
  const write = await ledger.withKey(key)
  if (write === undefined) return undefined
  return OPEN_STATES.includes(write.state)
    ? 'open'
    : write.state === 'confirmed'
      ? resultOfWrite(row, write)
      : undefined
}

const conflict = (shown: string): PayError =>
  new PayError('batch_running', EXIT.conflict, `Another process is applying ${shown}`, {
    outcome: 'none',
    retryable: true,
    hint: 'Wait for it to end, or stop it: the same command continues where it stops.',
  })

async function writtenFiles(
  { context: { cwd }, cleanText, warn }: Invocation,
  { results, rejects, planPath }: ApplySettings,
  plan: PlanFile,
  { results: outcomes, summary }: Pick<SentPlan, 'results' | 'summary'>,
): Promise<PayError | undefined> {
  if (results === undefined && rejects === undefined) return undefined
  const [resultsPath, rejectsPath] = [results, rejects].map((path) =>
    path === undefined ? undefined : resolve(cwd, path),
  )
  const paths = { results: resultsPath, rejects: rejectsPath }
  const input = rejects === undefined ? undefined : await openInputRows(planPath, plan)
  if (rejects !== undefined && input === undefined && plan.trailer.rows > summary.done)
    await warn(cleanText(ownColumnsNote(plan, rejects)))
  const rows = input ?? (await ownRows(plan))
  try {
    await writeFiles(paths, rows, plan.rows(), (row) => outcomes.get(row), cleanText)
    return undefined
  } catch (error) {
    if (error instanceof PayError) return error
    throw error
  } finally {
    await rows.close()
  }
}

const ownColumnsNote = ({ header: { input } }: PlanFile, rejects: string): string =>
  `${input === '-' ? 'The input was stdin' : `${input} has changed or gone since the plan`}, so ${rejects} has the plan's own columns: plan it without the flags that fit the input.`

/** What applying a plan needs of the ledger: its records, and the outcomes of its open writes. */
export const ledgerPorts = (
  ledger: WholeLedger,
  client: Client,
  { timeoutMs }: Pick<Invocation['settings'], 'timeoutMs'>,
): Pick<ApplyOptions, 'visitWrites' | 'settleWrite'> => ({
  visitWrites: async (visit) => {
    const { records } = await ledger.list({ states: OPEN_STATES })
    for (const record of records) visit(record)
    await ledger.visitEnded(visit)
  },
  settleWrite: async (id, forbidResend) => {
    const { record, resolution } = await resolveOpen(ledger, id, async () => client, {
      // The plan was confirmed.
      confirmSend: async () => true,
      forbidResend,
      timeoutMs,
    })
    return { record, words: resolution.words }
  },
})
