import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { batchesFolder, readProgress } from '../../../rows/batch/apply/run-rows.ts'
import { planBegun, planExists } from '../../../rows/batch/file/plan-errors.ts'
import { readPlanHeader } from '../../../rows/batch/file/read-plan.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { PayError } from '../../../errors.ts'
import { registerPlan } from '../../../rows/batch/file/registry.ts'
import { writePlan } from '../../../rows/batch/file/write-plan.ts'
import type { PlanWriter } from '../../../rows/batch/file/write-plan.ts'
import { withHint } from '../../../rows/batch/plan/batch-row.ts'
import { planRows } from '../../../rows/batch/plan/plan-rows.ts'
import type { RowsRead } from '../../../rows/batch/plan/plan-rows.ts'
import { createPlanSummary } from '../../../rows/batch/plan/summary.ts'
import type { PlanSummary } from '../../../rows/batch/plan/summary.ts'
import type { PlanHeader, PlanTrailer } from '../../../rows/batch/plan.ts'
import { reasonOf } from '../../../rows/batch/apply/write-files.ts'
import { InputHash } from '../../../rows/keep/input-hash.ts'
import { refuseOwnFolders } from '../../../rows/keep/output-files.ts'
import type { RowFile } from '../../../rows/keep/row-files.ts'
import { skipped } from '../../../rows/read/input.ts'
import { ownerOf } from '../../../cli/command/request-target.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandRun } from '../../../cli/command/spec.ts'
import { readReason, readTicket } from '../../../cli/parse/settings.ts'
import { haltOnInterrupt } from '../../halt-on-interrupt.ts'
import { progressOn } from '../../row-progress.ts'
import { withPaymentReader } from '../../read-payments.ts'
import { lockPlan } from '../lock-plan.ts'
import { rowLimitOf } from '../row-limits.ts'
import { OPERATIONS } from '../../../rows/batch/apply/ready-row.ts'
import { readEarlierWrites } from './earlier-writes.ts'
import { openBatchSource, openRejects } from './open-source.ts'
import type { BatchSource } from './open-source.ts'
import { readPlanSettings } from './read-settings.ts'
import type { PlanSettings } from './read-settings.ts'
import { readSigner, signAsPlanner } from './sign.ts'
import type { PlanSigner } from './sign.ts'
import { obstaclesTo, resultOfPlan } from './result.ts'

const INTERRUPTED = 'Interrupted: no plan was written. Nothing was sent.'

export async function runPlan(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const { context } = invocation
  const settings = readPlanSettings(context, input)
  const signer = await readSigner(invocation, input)
  const header = await headerOf(invocation, settings, signer)
  refuseOwnFolders({ '--out': settings.out, '--rejects': settings.rejects }, context)
  let replaced = replacedBy(invocation, settings.out)
  const source = await openBatchSource(invocation, settings, haltOnInterrupt(invocation).signal)
  const rejects = openRejects(invocation, settings, source.rejects)
  const summary = createPlanSummary()
  const writer = writePlan({
    path: resolve(context.cwd, settings.out),
    shown: settings.out,
    header: { ...header, source: source.source },
    replaces: replaced !== undefined,
  })
  let release: (() => void) | undefined
  let trailer: PlanTrailer
  let read: RowsRead
  try {
    const hash = new InputHash(0, undefined)
    read = await fill(invocation, settings, { source, summary, writer, rejects, hash })
    rejects?.sync()
    if (replaced !== undefined) {
      // Reading may have taken long: another process may have begun the plan, or written another one.
      const held = holdReplaced(invocation, settings.out)
      release = held.release
      replaced = held.replaced
    }
    trailer = writer.finish(hash.digest, replaced !== undefined)
  } finally {
    release?.()
    writer.discard()
    rejects?.close()
  }
  if (replaced !== undefined) await invocation.note(`Replaced ${replaced.words}.`)
  const path = resolve(context.cwd, settings.out)
  const { planId, operation, createdAt } = header
  const planned = { planId, plan: path, operation, createdAt, ready: trailer.ready }
  registerPlan(batchesFolder(context.stateFolder), planned, context.uid)
  if (signer !== undefined)
    await signAsPlanner(invocation, signer, { planFile: path, digest: trailer.digest })
  const facts = { ...header, ...trailer, isSigned: signer !== undefined, plan: settings.out }
  const obstacles = obstaclesTo(facts, await invocation.account()).map(invocation.cleanText)
  return resultOfPlan(invocation, { settings, header, trailer, read, summary, obstacles })
}

interface Replaced {
  readonly planId: string
  readonly words: string
}

/** The header, without the facts about the input. */
async function headerOf(
  invocation: CommandRun,
  { operation, path }: PlanSettings,
  signer: PlanSigner | undefined,
): Promise<Omit<PlanHeader, 'source'>> {
  const { context } = invocation
  const account = await invocation.account()
  const { profile, baseUrl, mode } = account
  return {
    type: 'plan',
    version: 1,
    planId: context.newId(),
    operation,
    profile: profile?.value,
    account: ownerOf(account) ?? '',
    mode: mode.value,
    baseUrl: baseUrl.value,
    planner: signer?.principal ?? `${context.program.user()}@${context.program.machine}`,
    createdAt: context.now().toISOString(),
    input: path === '-' ? '-' : basename(path),
  }
}

async function fill(
  invocation: CommandRun,
  settings: PlanSettings,
  {
    source,
    summary,
    writer,
    rejects,
    hash,
  }: {
    readonly source: BatchSource
    readonly summary: PlanSummary
    readonly writer: PlanWriter
    readonly rejects: RowFile | undefined
    readonly hash: InputHash
  },
): Promise<RowsRead> {
  const { operation } = settings
  const { amounts, numbers } = settings.cells
  const writes = await readEarlierWrites(invocation, operation)
  const limit = rowLimitOf(await invocation.account(), OPERATIONS[operation])
  const overLimit = (amountMinor: number | undefined, currencyCode: string) => {
    const refused = limit(amountMinor, currencyCode)
    return refused === undefined ? undefined : invocation.cleanText(withHint(refused))
  }
  const progress = progressOn(invocation, source.input)
  const counts = { rows: 0, refused: 0 }
  return withPaymentReader(invocation, settings, { progress, interrupted: INTERRUPTED }, (reader) =>
    planRows({
      operation,
      amounts,
      numbers,
      takesAllIfEmpty: settings.takesAllIfEmpty,
      noFinal: settings.noFinal,
      reason: invocation.settings.reason,
      readTicket: (typed) => readTicket(typed, 'the ticket'),
      readReason: (typed) => readReason(typed, 'the reason'),
      clean: invocation.cleanText,
      source,
      chunks: skipped(hashed(source.input.from(0), hash), source.start.byte),
      reader,
      writes,
      allowsRepeats: invocation.settings.allowsRepeat,
      overLimit,
      onRow: (row, cells) => {
        counts.rows += 1
        if (row.verdict !== 'ready') {
          counts.refused += 1
          rejects?.add(source.rejects.line(cells, reasonOf(row, undefined, invocation.cleanText)))
        }
        summary.add(row)
        writer.add(row)
      },
      onProgress: (share) => progress.show(counts, share),
      stop: invocation.context.interruption.stop,
    }),
  )
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: InputHash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.add(chunk)
    yield chunk
  }
}

/**
 * Describes the earlier plan at `out` that may be replaced: one that this machine never began, or whose ready rows are all
 * done. Undefined if there is no file.
 * @throws {UsageError} if the file is another one, or a plan that was begun and isn't done
 */
function replacedBy({ context, cleanText }: Invocation, out: string): Replaced | undefined {
  const { cwd, stateFolder } = context
  const path = resolve(cwd, out)
  if (!existsSync(path)) return undefined
  const { planId, createdAt } = headerAt(path, out)
  const progress = readProgress(batchesFolder(stateFolder), planId)
  if (progress !== undefined && progress.done < progress.ready) throw planBegun(out, progress)
  const state = progress === undefined ? 'was not begun on this machine' : 'is done'
  const words = cleanText(
    `the plan ${out} of ${createdAt.slice(0, 16).replace('T', ' ')} UTC, which ${state}`,
  )
  return { planId, words }
}

/** As {@link replacedBy}, for as long as no process can begin or replace that plan. */
function holdReplaced(
  invocation: Invocation,
  out: string,
): { readonly replaced: Replaced | undefined; readonly release?: () => void } {
  for (;;) {
    const found = replacedBy(invocation, out)
    if (found === undefined) return { replaced: undefined }
    const release = lockPlan(invocation, found.planId, out)
    try {
      const replaced = replacedBy(invocation, out)
      if (replaced?.planId === found.planId) return { replaced, release }
    } catch (error) {
      release()
      throw error
    }
    release()
  }
}

function headerAt(path: string, shown: string) {
  try {
    return readPlanHeader(path, shown)
  } catch (error) {
    // It is not a plan.
    throw error instanceof PayError ? planExists(shown) : error
  }
}
