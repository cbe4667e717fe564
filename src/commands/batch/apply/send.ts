import { resolve } from 'node:path'
import { planReplaced } from '../../../rows/batch/file/plan-errors.ts'
import { readPlanHeader } from '../../../rows/batch/file/read-plan.ts'
import type { PlanFile } from '../../../rows/batch/file/read-plan.ts'
import { applyRows } from '../../../rows/batch/apply/run.ts'
import type { Applied, ApplyOptions } from '../../../rows/batch/apply/run.ts'
import { openInputRows, ownRows } from '../../../rows/batch/apply/input-rows.ts'
import { openRunRows } from '../../../rows/batch/apply/run-rows.ts'
import type { BegunPlan, RunRow, RunRows } from '../../../rows/batch/apply/run-rows.ts'
import { callOf, rowKey, OPERATIONS, readyRowsOf } from '../../../rows/batch/apply/ready-row.ts'
import type { ReadyRow } from '../../../rows/batch/apply/ready-row.ts'
import { summarize } from '../../../rows/batch/apply/summary.ts'
import type { ApplySummary } from '../../../rows/batch/apply/summary.ts'
import { formsOf, linesOf } from '../../../rows/batch/apply/output-lines.ts'
import { refuseUnwritable, writeOutputs } from '../../../rows/keep/row-files.ts'
import { startPace } from '../../../rows/send/paced-transport.ts'
import { shortMessage } from '../../../rows/send/row-message.ts'
import { ticketKey } from '../../../client/calls/build-intent.ts'
import { targetOf } from '../../../cli/command/request-target.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { PayError } from '../../../errors.ts'
import { progressOn } from '../../row-progress.ts'
import { lockBatchFiles, lockPlan } from '../lock-plan.ts'
import { rowLimitOf } from '../row-limits.ts'
import type { ApplySettings } from './read-settings.ts'
import type { Client } from '../../../client/calls/client-port.ts'
import { resolveOpen } from '../../../cli/resolve-open.ts'
import type { WholeLedger } from '../../../client/ledger/ledger.ts'

/** The most connections. Each row needs two requests; more connections slow the ledger down, which syncs every write. */
const MAX_CONNECTIONS = 32
/** The most rows to name; more are counted. */
const MAX_NAMED_ROWS = 5

export interface LoadedPlan {
  readonly plan: PlanFile
  readonly begun: BegunPlan
  /** Where runs and locks are. */
  readonly folder: string
  /** The people whose signatures the profile has counted. */
  readonly approvedBy: readonly string[]
}

export interface SentPlan extends Applied {
  readonly summary: ApplySummary
  /** The first rows that are not done. */
  readonly problems: readonly RunRow[]
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
  const { plan, begun, folder } = loaded
  const { trailer } = plan
  const { planId } = begun
  for (const path of [settings.results, settings.rejects])
    if (path !== undefined) refuseUnwritable(resolve(context.cwd, path))
  const release = lockPlan(invocation, planId, settings.plan)
  let releaseFiles: (() => void) | undefined
  try {
    releaseFiles = lockBatchFiles(invocation, [settings.results, settings.rejects])
    // Another one may have taken its place since it was read: then the same command could not continue this one.
    if (readPlanHeader(settings.planPath, settings.plan).planId !== planId) throw planReplaced(settings.plan)
    const runRows = openRunRows(folder, begun, { isRestarted: settings.isRestarted })
    try {
      const startedMs = context.now().getTime()
      const applied = await sendRows(invocation, settings, loaded, runRows)
      if (!applied.isBlank) invocation.markWritten()
      const seconds = (context.now().getTime() - startedMs) / 1000
      const summary = summarize({ planId, trailer }, runRows.counts(), seconds)
      const fileProblem = await writtenFiles(invocation, settings, plan, { runRows, summary })
      return { ...applied, summary, problems: runRows.problems(MAX_NAMED_ROWS), fileProblem }
    } finally {
      runRows.close()
    }
  } finally {
    releaseFiles?.()
    release()
  }
}

async function sendRows(
  invocation: Invocation,
  settings: ApplySettings,
  { plan: { header, trailer, rows }, approvedBy }: LoadedPlan,
  runRows: RunRows,
): Promise<Applied> {
  const planOfWrite = { id: header.planId, plannedBy: header.planner, approvedBy }
  const { context } = invocation
  const { stop, abandon } = context.interruption
  const account = await invocation.account()
  const target = targetOf(account, context)
  let ended = 0
  const progress = progressOn(invocation, { size: trailer.ready, bytesRead: () => ended })
  const pace = startPace({
    now: context.now,
    sleep: context.sleep,
    concurrency: settings.concurrency,
    maxConcurrency: MAX_CONNECTIONS,
    rate: settings.rate,
    maxWaitMs: settings.maxWaitMs,
    onWait: progress.announceWait,
    returnsWrites: true,
    signals: [stop, abandon],
  })
  const onStop = () =>
    progress.printAbove(
      'Interrupted: beginning no more rows, waiting for those in progress. Interrupt again to stop waiting; their outcome is then unknown.',
    )
  stop.addEventListener('abort', onStop, { once: true })
  try {
    const client = await invocation.clientOf(account, {
      connections: settings.concurrency ?? MAX_CONNECTIONS,
      printAbove: progress.printAbove,
      pace: pace.over,
    })
    const ledger = await context.ledger(account)
    const limit = rowLimitOf(account, OPERATIONS[header.operation])
    const keyOf = (row: ReadyRow): string =>
      row.ticket === undefined ? rowKey(header, row) : ticketKey(target, callOf(header, row), row.ticket)
    return await applyRows({
      plan: header,
      rows: readyRowsOf(rows),
      ready: trailer.ready,
      runRows,
      keyOf,
      ...ledgerPorts(ledger, client, invocation.settings),
      call: (call) => client.call({ ...call, plan: planOfWrite }),
      forbids: ({ currencyCode, amount }) => limit(amount, currencyCode),
      clean: (text) => shortMessage(text, invocation.cleanText) ?? '',
      concurrency: settings.concurrency ?? MAX_CONNECTIONS,
      maxFailures: settings.maxFailures,
      patience: pace.patience,
      stop,
      sleep: context.sleep,
      onProgress: (counts) => {
        invocation.markWritten()
        ended = counts.rows
        progress.show(counts)
      },
    })
  } finally {
    stop.removeEventListener('abort', onStop)
    pace.end()
    await progress.end()
  }
}

async function writtenFiles(
  { context: { cwd }, cleanText, warn }: Invocation,
  { results, rejects, planPath }: ApplySettings,
  plan: PlanFile,
  { runRows, summary }: { readonly runRows: RunRows; readonly summary: ApplySummary },
): Promise<PayError | undefined> {
  if (results === undefined && rejects === undefined) return undefined
  const [resultsPath, rejectsPath] = [results, rejects].map((path) =>
    path === undefined ? undefined : resolve(cwd, path),
  )
  const paths = { results: resultsPath, rejects: rejectsPath }
  try {
    const input = rejects === undefined ? undefined : await openInputRows(planPath, plan)
    if (rejects !== undefined && input === undefined && plan.trailer.rows > summary.done)
      await warn(cleanText(ownColumnsNote(plan, rejects)))
    const rows = input ?? (await ownRows(plan))
    try {
      const lines = linesOf(rows, plan.rows(), runRows.resultOf, cleanText)
      await writeOutputs(paths, formsOf(rows.rejects), lines)
    } finally {
      await rows.close()
    }
    return undefined
  } catch (error) {
    if (error instanceof PayError) return error
    throw error
  }
}

const ownColumnsNote = ({ header: { input } }: PlanFile, rejects: string): string =>
  `${input === '-' ? 'The input was stdin' : `${input} has changed or gone since the plan`}, so ${rejects} has the plan's own columns: plan it without the flags that fit the input.`

/** What applying a plan needs of the ledger: its records, and the outcomes of its open writes. */
export const ledgerPorts = (
  ledger: WholeLedger,
  client: Client,
  { timeoutMs }: Pick<Invocation['settings'], 'timeoutMs'>,
): Pick<ApplyOptions, 'writesWith' | 'settleWrite'> => ({
  writesWith: ledger.withKeys,
  settleWrite: async (id, expects) => {
    const { record, resolution } = await resolveOpen(ledger, id, async () => client, {
      // The plan was confirmed.
      confirmSend: async () => true,
      expects,
      timeoutMs,
    })
    return { record, words: resolution.words }
  },
})
