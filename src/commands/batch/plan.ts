import { BATCH_OPERATIONS } from '../../rows/batch/plan.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { PACE_FLAGS } from '../file-settings.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { existsSync } from 'node:fs'
import { basename, resolve, dirname, relative } from 'node:path'
import { batchesFolder, readProgress } from '../../rows/batch/apply/run-rows.ts'
import { planBegun, planExists } from '../../rows/batch/file/plan-errors.ts'
import { readPlanHeader } from '../../rows/batch/file/read-plan.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { registerPlan } from '../../rows/batch/file/registry.ts'
import { writePlan } from '../../rows/batch/file/write-plan.ts'
import type { PlanWriter } from '../../rows/batch/file/write-plan.ts'
import { withHint, checkBatchBody } from '../../rows/batch/planning/batch-row.ts'
import { planRows } from '../../rows/batch/planning/plan-rows.ts'
import type { LeftOutCount } from '../../rows/left-out.ts'
import { createPlanSummary } from '../../rows/batch/planning/summary.ts'
import type { PlanSummary } from '../../rows/batch/planning/summary.ts'
import type { PlanHeader, PlanTrailer, BatchOperation, PlanSource } from '../../rows/batch/plan.ts'
import { reasonOf } from '../../rows/batch/apply/output-lines.ts'
import { InputHash } from '../../rows/keep/input-hash.ts'
import { refuseOwnFolders, refuseOtherContent } from '../../rows/keep/output-files.ts'
import type { RowFile } from '../../rows/keep/row-files.ts'
import { skipped } from '../../rows/read/input.ts'
import { ownerOf, targetOf } from '../../cli/command/request-target.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Result } from '../../cli/command/result.ts'
import { readReason, readTicket } from '../../cli/parse/settings.ts'
import { haltOnInterrupt } from '../halt-on-interrupt.ts'
import { progressOn } from '../row-progress.ts'
import { withPaymentReader } from '../read-payments.ts'
import { lockPlan, lockBatchFiles } from './lock-plan.ts'
import { rowLimitOf } from './row-limits.ts'
import { OPERATIONS } from '../../rows/batch/apply/ready-row.ts'
import { readPlanSettings } from './plan/read-settings.ts'
import type { PlanSettings } from './plan/read-settings.ts'
import { obstaclesTo, resultOfPlan } from './plan/result.ts'
import type { EarlierWrites } from '../../rows/batch/planning/plan-rows.ts'
import { ticketKey } from '../../client/calls/build-intent.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { OPEN_STATES } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { KEY_LIFETIME_MS } from '../../client/ledger/port.ts'
import { formatMoney } from '../../money/format.ts'
import { checkPrincipal, signPlan } from '../../rows/batch/approve/signature-files.ts'
import { listedPrincipal } from '../../rows/batch/approve/signers-file.ts'
import { textFlag } from '../../cli/command/input.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import { fileWord, flagWord, shellWord } from '../../files/shell.ts'
import { checkSigners } from '../check-signers.ts'
import { twoSources } from '../../rows/batch/planning/capture-order.ts'
import { BATCH_ROW, NAMING_FIELDS } from '../../rows/batch/planning/row-fields.ts'
import { openRowFile } from '../../rows/keep/row-files.ts'
import { mappingError } from '../../rows/map/mapping-error.ts'
import type { Rows } from '../../rows/read/open-rows.ts'
import { encodedRejects } from '../../rows/read/rejects.ts'
import type { Rejects } from '../../rows/read/rejects.ts'
import { noteTable, openTable } from '../open-table.ts'
import { countedOtherwiseWords } from '../../rows/read/open-rows.ts'
import { COUNTED_OTHERWISE } from '../../money/currencies.ts'

export const command: CommandSpec = {
  path: ['batch', 'plan'],
  summary: 'Plan many refunds, captures or cancellations from a file, without sending any',
  details: [
    'Reads every payment, gives every row a verdict, and writes a plan for pay batch apply, which carries out only the ready rows. A row names its payment by paymentId or by orderId. The amount all takes all that is left; a row without an amount is a bad_row unless you add --empty-amount all. A cancellation has no amount.',
    'Of several captures of one payment, the last releases the rest of the authorization; the plan says how much. Keep it with --no-final, or with false in the column final of that row.',
    'Columns: paymentId, orderId, amount (700, 7.00 EUR, or all), currencyCode, reason, ticket, final. A row that repeats an earlier write is a possible_duplicate, unless it has an unused ticket or you accept every repeat with --again.',
  ].join('\n\n'),
  examples: [
    { purpose: 'plan refunds', line: 'pay --sandbox batch plan refund refunds.csv' },
    {
      purpose: 'name the plan, and find payments by your order IDs',
      line: 'pay --sandbox batch plan refund orders.csv --map orderId=Order --map amount=Total --amounts major --const currencyCode=EUR --out incident.plan.ndjson',
    },
    {
      purpose: 'refund all that is left of every payment in a list of orders',
      line: 'pay --sandbox batch plan refund orders.csv --map orderId=Order --empty-amount all --out all.plan.ndjson',
    },
    {
      purpose: 'accept every repeat of an earlier refund',
      line: 'pay --sandbox batch plan refund refunds.csv --again',
    },
  ],
  args: [
    {
      name: 'OPERATION',
      choices: BATCH_OPERATIONS,
      help: 'refund, capture or cancel',
    },
    { name: 'FILE', from: 'file', help: 'CSV or NDJSON, plain or gzip; - for stdin' },
  ],
  flags: {
    out: {
      kind: 'text',
      value: 'PLAN',
      from: 'file',
      help: 'The plan file; default: FILE with .plan.ndjson in place of its extension',
    },
    rejects: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Write the rows that are not ready with the reason, to correct and plan again',
    },
    ...TABLE_FLAGS,
    amounts: {
      ...TABLE_FLAGS.amounts,
      help: 'Every amount is in minor (700) or major units (7.00); default: 700, or 7.00 EUR',
    },
    'empty-amount': {
      kind: 'text',
      value: 'all',
      choices: ['all'],
      help: 'A row without an amount takes all that is left',
    },
    'no-final': { kind: 'switch', help: 'No capture releases the rest of its authorization' },
    ...PACE_FLAGS,
    key: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Sign the plan as its planner: your private SSH key, or the public key of one in your agent',
    },
    principal: {
      kind: 'text',
      value: 'NAME',
      help: "Your name in the team's allowed_signers file (default: the one that lists your key)",
    },
  },
  takesAgain: true,
  run: runPlan,
  exitCodes: [
    EXIT.auth,
    EXIT.conflict,
    EXIT.rateLimited,
    EXIT.notConnected,
    EXIT.serverFault,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  related: ['batch show', 'batch apply', 'payment refund', 'payment explain'],
}

const INTERRUPTED = 'Interrupted: no plan was written. Nothing was sent.'

async function runPlan(invocation: CommandRun, input: CommandInput): Promise<Result> {
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
  let leftOut: readonly LeftOutCount[]
  try {
    const hash = new InputHash(0, undefined)
    leftOut = await fill(invocation, settings, { source, summary, writer, rejects, hash })
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
  if (source.mayDiffer && settings.operation !== 'cancel') {
    const codes = summary.totals().flatMap(({ currencyCode }) => currencyCode ?? [])
    const counted = [...new Set(codes)].filter((code) => COUNTED_OTHERWISE.has(code))
    if (counted.length > 0) await invocation.warn(countedOtherwiseWords(counted))
  }
  return resultOfPlan(invocation, {
    settings,
    header,
    trailer,
    leftOut,
    summary,
    obstacles,
    isSigned: signer !== undefined,
  })
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
): Promise<readonly LeftOutCount[]> {
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

/** Describes the earlier plan as {@link replacedBy} does, and keeps others from beginning or replacing it. */
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

interface Write {
  readonly amount: number | null
  readonly currencyCode: string | null
  readonly createdAt: string
}

/** Reads this machine's ledger once and keeps the records of the operation. */
async function readEarlierWrites(invocation: Invocation, operation: BatchOperation): Promise<EarlierWrites> {
  const used = await invocation.account()
  const account = targetOf(used, invocation.context)
  const now = invocation.context.now()
  const ledger = await invocation.context.ledger(used)
  const isHere = (record: StoredRecord) =>
    record.targetKind === 'payment' && record.baseUrl === account.baseUrl
  const listing = await ledger.list({ states: OPEN_STATES })
  await warnAboutDamage(invocation, listing)
  const open = new Map(listing.records.filter(isHere).map((record) => [record.target, openWords(record)]))
  const { id } = OPERATIONS[operation]
  const done = new Map<string, Write[]>()
  const usedKeys = new Map<string, string>()
  const { records } = await ledger.list({ operations: [id], holding: id })
  for (const record of records.filter(isHere)) {
    const { idempotencyKey: key, target } = record
    const use = useOf(record, now)
    if (key !== null && use !== undefined) usedKeys.set(key, use)
    if (record.state !== 'confirmed' || record.exitCode === EXIT.declined || target === null) continue
    const { amount, currencyCode, createdAt } = record
    const writes = done.get(target)
    if (writes === undefined) done.set(target, [{ amount, currencyCode, createdAt }])
    else writes.push({ amount, currencyCode, createdAt })
  }
  const callOf = (paymentId: string) => ({ operation: OPERATIONS[operation], params: { id: paymentId } })
  return {
    openOn: (paymentId) => open.get(paymentId),
    useOfTicket: (paymentId, ticket) => {
      const use = usedKeys.get(ticketKey(account, callOf(paymentId), ticket))
      return use === undefined
        ? undefined
        : `the ticket ${ticket} ${use}: remove the row, or give it another ticket`
    },
    equalTo: (paymentId, amount, currencyCode) => {
      const write = done
        .get(paymentId)
        ?.find(
          (one) => one.amount === (amount ?? null) && (one.currencyCode ?? currencyCode) === currencyCode,
        )
      if (write === undefined) return undefined
      const of = amount === undefined ? '' : ` of ${formatMoney(amount, currencyCode)}`
      return `this machine sent an equal ${operation}${of} on ${dayOf(write)}`
    },
  }
}

const dayOf = ({ createdAt }: Pick<Write, 'createdAt'>): string => createdAt.slice(0, 10)

function openWords({ id, operation, state, createdAt }: StoredRecord): string {
  const verb = operation.replace(/^payment\./, '')
  const what = `a write on this payment (${verb}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC)`
  return state === 'sending'
    ? `${what} is in progress: wait for it, then plan the row again`
    : `${what} is in doubt: run pay ops resolve ${shellWord(id.slice(0, 8))}, then plan the row again`
}

/** Describes the earlier write with this key, if the key can't be used again. */
function useOf(record: StoredRecord, now: Date): string | undefined {
  if (record.state === 'confirmed') return `was used on ${dayOf(record)}`
  const isOld = now.getTime() - Date.parse(record.createdAt) > KEY_LIFETIME_MS
  return record.state === 'abandoned' && isOld
    ? `was used for a write that was abandoned on ${dayOf(record)}`
    : undefined
}

/** Who signs the plan, with which key. */
interface PlanSigner {
  readonly keyFile: string
  readonly principal: string
  readonly signersFile: string | undefined
}

/**
 * Reads `--key` and `--principal`. The principal is part of the plan, so it must be known before the plan is signed.
 * @throws {UsageError} `missing_input` if it is not clear who signs, `unreadable_file` or `unsafe_folder` for the team's file
 */
async function readSigner(invocation: Invocation, input: CommandInput): Promise<PlanSigner | undefined> {
  const [key, given] = [textFlag(input, 'key'), textFlag(input, 'principal')]
  if (key === undefined) {
    if (given === undefined) return undefined
    throw new UsageError('--principal has no effect without --key', { code: 'bad_value', hint: 'Add --key.' })
  }
  if (given !== undefined) checkPrincipal(given)
  const { limits } = await invocation.account()
  const { signers: signersFile } = limits
  await checkSigners(invocation, signersFile)
  const keyFile = resolve(invocation.context.cwd, key)
  const principal = given ?? (signersFile === undefined ? undefined : listedPrincipal(signersFile, keyFile))
  if (principal !== undefined) return { keyFile, principal, signersFile }
  const why =
    signersFile === undefined
      ? 'the profile names no file of allowed signers'
      : `${signersFile} does not list the key ${keyFile} for exactly one person`
  throw new UsageError(`Missing: --principal, because ${why}`, {
    code: 'missing_input',
    outcome: 'none',
    hint: "The principal is your name in the team's file of allowed signers, such as anna@example.com.",
  })
}

/** Signs a written plan as its planner. */
async function signAsPlanner(
  invocation: Invocation,
  signer: PlanSigner,
  { planFile, digest }: { readonly planFile: string; readonly digest: string },
): Promise<void> {
  try {
    const { signatureFile, principal } = await signPlan({ planFile, digest, ...signer })
    await invocation.note(invocation.cleanText(`Signed by ${principal}: ${signatureFile}`))
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    // The plan is good; don't make the user read every payment again.
    const sign = `pay${accountFlagsOf(invocation)} batch approve ${fileWord(planFile)} --key FILE ${flagWord('principal', signer.principal)}`
    throw new UsageError(`${error.message}. The plan was written, but not signed`, {
      ...error.details,
      code: error.code,
      next: [sign],
    })
  }
}

/** An open input, and how it is read. */
interface BatchSource extends Rows {
  /** Whether minor units that the payments are in may be a provider's own. */
  readonly mayDiffer: boolean
  readonly source: PlanSource
}

/**
 * Opens the input of a plan. Aborting `end` closes stdin.
 * @throws {UsageError} if the header or the mapping does not fit a batch row
 */
async function openBatchSource(
  invocation: Invocation,
  settings: PlanSettings,
  end: AbortSignal,
): Promise<BatchSource> {
  const { cwd } = invocation.context
  const { path } = settings
  const opened = await openTable(
    invocation,
    { schema: BATCH_ROW, settings, path, check: checkBatchBody },
    end,
  )
  const { rows, fields, delimiter, encoding, hasMark } = opened
  if (fields !== undefined) checkFields(fields, settings)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not used' })
  const plan = resolve(cwd, settings.out)
  return {
    ...rows,
    // With a warning about the file, none about the payments is needed.
    mayDiffer: opened.mayDiffer && opened.countedOtherwise.length === 0,
    rejects: await encodedRejects(rows.rejects, { encoding, hasMark }),
    source: {
      format: settings.format,
      delimiter,
      encoding: encoding.toLowerCase(),
      hasMark,
      ...(settings.skipLines === 0 ? {} : { skipLines: settings.skipLines }),
      path: path === '-' ? undefined : relative(dirname(plan), resolve(cwd, path)),
    },
  }
}

/** @throws {PayError} `unwritable_file` or `batch_running` */
function openRejects(
  invocation: Invocation,
  { rejects: path }: PlanSettings,
  { header, isSuch, encode }: Rejects,
): RowFile | undefined {
  if (path === undefined) return undefined
  const { cwd } = invocation.context
  refuseOtherContent([{ flag: '--rejects', path, header, isSuch }], cwd)
  const release = lockBatchFiles(invocation, [path])
  const file = openRowFile(resolve(cwd, path), header, encode)
  return {
    ...file,
    close: () => {
      file.close()
      release()
    },
  }
}

/** Checks the columns of a CSV file. NDJSON has none: each of its rows is checked. */
function checkFields(fields: readonly string[], { operation, takesAllIfEmpty, noFinal }: PlanSettings): void {
  const { mapping } = BATCH_ROW.hints
  if (!NAMING_FIELDS.some((name) => fields.includes(name)))
    throw missingColumn(NAMING_FIELDS.join(' or '), 'The header does not name payments', mapping)
  if (operation !== 'cancel' && !takesAllIfEmpty && !fields.includes('amount'))
    throw missingColumn(
      'amount',
      'The header has no amounts',
      `To ${operation} all that is left of every payment, add --empty-amount all. ${mapping}`,
    )
  if (noFinal && fields.includes('final')) throw twoSources()
}

const missingColumn = (path: string, what: string, hint: string) =>
  mappingError([{ path, description: 'is required, but no column provides it' }], {
    what,
    code: 'unusable_header',
    hint,
  })
