import { switchFlag } from '../../cli/command/input.ts'
import { accountOfRecord } from '../../cli/account/account-of-record.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { recordedReason } from '../../cli/guard/ledger-redaction.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { inspectLedger, setLedgerAside } from '../../client/ledger/damaged-file.ts'
import { ledgerPath } from '../../client/ledger/ledger-file.ts'
import type { Salvage } from '../../client/ledger/damaged-file.ts'
import { safeText } from '../../output/safe-text.ts'
import { published } from '../../client/ledger/record.ts'
import { findUnrecorded, unrecordedAbandoning } from '../../client/calls/unrecorded.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { Reopened } from '../../client/ledger/reopen.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import type { DamagedRecord } from '../../client/ledger/entry.ts'
import type { FoundEntry } from '../../client/ledger/listing.ts'
import { recordView } from '../../views/ops/record.ts'
import { abandonedView } from '../../views/ops/resolution.ts'
import { isOpen, describeOperation } from '../../views/ops/state.ts'
import { askConfirmation } from '../ask-confirmation.ts'
import { ID_ARGUMENT, askOperationId, openLedger } from './record-arguments.ts'
import { inspectCommands, recordDetails } from './record-details.ts'
import type { View } from '../../output/view.ts'
import { formatField } from '../../views/format-fields.ts'
import { pluralize } from '../../text/words.ts'
import { shellWord } from '../../files/shell.ts'

export const command: CommandSpec = {
  path: ['ops', 'abandon'],
  summary: 'Close a write in doubt after checking it yourself',
  details: [
    "Use it when pay ops resolve can't find the outcome but you have. Sends nothing and undoes nothing; the target is free for the next write. If the write was done after all, repeating it does it twice.",
    '',
    "Records who abandoned it, when and why (--reason). To set aside a record that can't be read, use the name that pay ops list shows.",
    '',
    "If pay can't read the ledger's file, or an open record is missing in it, --damaged-ledger keeps the file under another name and begins a new ledger with every record that can be read: what was open still blocks.",
  ].join('\n'),
  examples: [
    {
      purpose: 'abandon it after checking with the provider',
      line: 'pay ops abandon "$OPERATION" --reason "not at the provider, SUP-1042"',
    },
  ],
  args: [{ ...ID_ARGUMENT, optional: true }],
  flags: {
    'damaged-ledger': {
      kind: 'switch',
      help: 'Set the whole damaged ledger aside and keep what can be read; asks in person, and --yes does not answer',
    },
  },
  supportsDryRun: true,
  run: async (invocation, input) => {
    if (switchFlag(input, 'damaged-ledger')) {
      if (input.args['ID'] === undefined) return abandonLedger(invocation)
      throw new UsageError('Use either an operation ID or --damaged-ledger, not both', {
        code: 'given_twice',
      })
    }
    const idPrefix = await askOperationId(invocation)
    if (idPrefix === undefined)
      throw new UsageError('Missing: ID', { code: 'missing_input', next: ['pay ops list'] })
    const ledger = await openLedger(invocation)
    const found = await ledger.find(idPrefix.trim())
    return found.kind === 'damaged'
      ? keepDamaged(invocation, ledger, found)
      : abandon(invocation, ledger, found)
  },
  risk: 'destructive',
  unchanged: 'this command changed nothing: no record was abandoned or set aside',
  effect:
    "Sends nothing. You can't reopen the record; if the write was done after all, repeating it does it twice.",
  exitCodes: [EXIT.notFound, EXIT.conflict],
  related: ['ops show', 'ops resolve'],
}

type FoundRecord = Extract<FoundEntry, { kind: 'record' }>

async function abandon(invocation: Invocation, ledger: WholeLedger, found: FoundRecord): Promise<Result> {
  const { record } = found
  if (!isOpen(record)) throw notOpenError(found)
  await redactKeys(invocation, record)
  if (invocation.isInteractive) {
    const options = { ...(await invocation.renderOptions()), paint: await invocation.paint('stderr') }
    await invocation.warn(recordView.render({ ...(await recordDetails(found)), next: [] }, options), 'ids')
    await invocation.warn(
      'If this write was done, repeating it does it twice. If it was not done, pay will not do it.',
    )
  }
  if (invocation.settings.mode === 'dry-run') {
    await invocation.note('Nothing was changed.')
    return resultOf(
      { ...published(record), next: inspectCommands(record) },
      abandonedView('Would be abandoned'),
    )
  }
  const abandoned = await (found.isPidOnly ? abandonWithOwner : abandonIdle)(invocation, ledger, found)
  // Another process may have settled it in the meantime.
  if (abandoned.state !== 'abandoned') throw notOpenError({ record: abandoned })
  return resultOf({ ...published(abandoned), next: inspectCommands(abandoned) }, abandonedView('Abandoned'))
}

/** Registers the key for redaction, in case `--reason` contains it: opening an account would do that, but abandoning opens none. */
async function redactKeys({ context, keepSecret }: Invocation, record: StoredRecord): Promise<void> {
  const { PAY_API_KEY: apiKeyVariable } = context.env
  if (apiKeyVariable !== undefined) keepSecret(apiKeyVariable)
  try {
    const { apiKey } = await accountOfRecord(context, record)
    if (apiKey !== undefined) keepSecret(apiKey.value)
  } catch (error) {
    // Without an account there is no key to redact.
    if (!(error instanceof PayError)) throw error
  }
}

async function abandonIdle(
  invocation: Invocation,
  ledger: WholeLedger,
  { record }: FoundRecord,
): Promise<StoredRecord> {
  const what = describeOperation(record)
  // Reopen before asking: it fails if a process is still sending this write.
  const open = await ledger.reopen(record.id, { isToAbandon: true })
  try {
    await confirmOrRefuse(invocation, { sentence: `Abandon ${what}`, what, isLive: record.mode === 'live' })
  } catch (error) {
    await open.release()
    throw error
  }
  return recordAbandoned(open, recordedReason(invocation))
}

/** Abandons a write that has an owner. It is known only by its process ID, which another program may have by now: the user must decide. */
async function abandonWithOwner(
  invocation: Invocation,
  ledger: WholeLedger,
  { record, owner }: FoundRecord,
): Promise<StoredRecord> {
  const what = describeOperation(record)
  const owningProcess = `process ${owner?.pid ?? 'unknown'}`
  await confirmOrRefuse(invocation, {
    sentence: `Abandon ${what}, though ${owningProcess} may still be sending it`,
    what: `${what}, which ${owningProcess} may still be sending,`,
    // Needs a confirmation even on a test profile: only a person can judge this.
    isLive: true,
  })
  const open = await ledger.reopen(record.id, { isConfirmedGone: true, isToAbandon: true })
  return recordAbandoned(open, recordedReason(invocation))
}

/** Records the decision. If the ledger fails meanwhile, asks it what it has. */
async function recordAbandoned(open: Reopened, reason: string | undefined): Promise<StoredRecord> {
  try {
    return await open.abandon(reason)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    throw unrecordedAbandoning(error, await findUnrecorded(open, error))
  }
}

async function keepDamaged(
  invocation: Invocation,
  ledger: WholeLedger,
  { id }: DamagedRecord,
): Promise<Result> {
  if (invocation.settings.mode === 'dry-run') return resultOf({ damaged: id, setAside: null }, setAsideView)
  // The record can't be read, so its money may have been real.
  await confirmOrRefuse(invocation, {
    sentence: `Set aside the unreadable record ${id}, so that it blocks nothing`,
    what: `the unreadable record ${id}`,
    isLive: true,
  })
  await ledger.setAside(id)
  return resultOf({ damaged: id, setAside: 'ledger.db, table set_aside' }, setAsideView)
}

/** Sets a damaged ledger aside, and begins a new one with its readable records. Only a person may decide that. */
async function abandonLedger(invocation: Invocation): Promise<Result> {
  const { context, settings, isInteractive } = invocation
  // Refuses an unsafe folder.
  await context.ledger(undefined)
  const path = ledgerPath(context.stateFolder)
  const found = inspectLedger(path) ?? NOTHING
  const { isDamaged } = found
  if (!isDamaged || settings.mode === 'dry-run') return resultOf({ ...found, setAside: null }, ledgerView)
  if (settings.assumesYes || !isInteractive)
    throw new UsageError('Only a person at a terminal can set the ledger aside: --yes does not answer', {
      code: 'confirmation_needed',
      hint: 'A lost record blocks nothing, and its write may have been done. With --dry-run, pay shows which records can be read.',
      next: ['pay ops abandon --damaged-ledger --dry-run'],
    })
  await invocation.warn(
    [describeLedger(found), ...found.lost.map((id) => `  ${safeText(id)}`)].join('\n'),
    'ids',
  )
  await askConfirmation(
    invocation,
    'Set the damaged ledger aside? A lost record blocks nothing, so check your latest payments at the service first.',
    { ifDeclined: 'nothing was changed', outcome: 'none' },
  )
  const { keptAs, ...kept } = await setLedgerAside(path, {
    now: context.now(),
    wait: (ms) => context.sleep(ms, context.interruption.stop),
  })
  return resultOf({ ...kept, setAside: keptAs }, ledgerView)
}

const NOTHING: Salvage = { records: 0, open: 0, lost: [], isDamaged: false }

async function confirmOrRefuse(
  invocation: Invocation,
  { sentence, what, isLive }: { readonly sentence: string; readonly what: string; readonly isLive: boolean },
): Promise<void> {
  const { settings, isInteractive } = invocation
  if (settings.assumesYes) return
  if (!isInteractive) {
    if (!isLive) return
    throw new UsageError(
      `Abandoning ${what} may hide that real money moved, so it needs --yes when pay cannot ask`,
      {
        code: 'confirmation_needed',
        outcome: 'unknown',
        hint: 'Check the service first, then add --yes.',
      },
    )
  }
  await askConfirmation(invocation, `${sentence}?`, { ifDeclined: 'nothing was changed', outcome: 'unknown' })
}

const notOpenError = ({ record }: Pick<FoundRecord, 'record'>): PayError =>
  new PayError('not_open', EXIT.conflict, `Not open: ${describeOperation(record)} is ${record.state}`, {
    operation: record.operation,
    operationId: record.id,
    retryable: false,
    next: [`pay ops show ${shellWord(record.id)}`],
  })

/** The ID of an unreadable record, and where it is kept; null in a dry run. */
export const setAsideView: View<{ readonly damaged: string; readonly setAside: string | null }> = {
  ids: () => [],
  csvColumns: ['damaged', 'setAside'],
  render: ({ damaged, setAside }) =>
    setAside === null
      ? `Unreadable; would be set aside: ${formatField(damaged)}`
      : `Set aside; it blocks nothing: ${formatField(setAside)}`,
}

/** `setAside` is where the damaged file is kept; null if nothing was changed. */
const ledgerView: View<Salvage & { readonly setAside: string | null }> = {
  ids: () => [],
  csvColumns: ['isDamaged', 'records', 'open', 'lost', 'setAside'],
  render: (ledger) =>
    ledger.isDamaged
      ? [
          ...(ledger.setAside === null ? [] : [`Set aside: ${formatField(ledger.setAside)}`]),
          describeLedger(ledger),
          ...ledger.lost.map((id) => `  ${formatField(id)}`),
        ].join('\n')
      : 'The ledger is not damaged.',
}

/** "12 records can be read, 2 of them open. 1 record can't:" */
function describeLedger({ records, open, lost }: Salvage): string {
  const readable = `${pluralize(records, 'record')} can be read, ${open} of them open.`
  if (records + lost.length === 0) return 'No record in it can be read. What was open in it blocks nothing.'
  return lost.length === 0
    ? `${readable} If others are missing, their IDs are lost too.`
    : `${readable} ${pluralize(lost.length, 'record')} can't:`
}
