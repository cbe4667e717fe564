import { accountOfRecord } from '../../cli/account/account-of-record.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { recordedReason } from '../../cli/guard/ledger-redaction.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { published } from '../../ledger/files/record.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import type { FileLedger } from '../../ledger/ledger.ts'
import type { DamagedFile, Found } from '../../ledger/listing.ts'
import { recordView } from '../../views/ops/record.ts'
import { abandonedView, setAsideView } from '../../views/ops/resolution.ts'
import { isOpen, describeOperation } from '../../views/ops/state.ts'
import { sayYes } from '../say-yes.ts'
import { ID_ARGUMENT, idArgument } from './id-argument.ts'
import { lookAt } from './next.ts'
import { shownRecord } from './shown-record.ts'

export const command: CommandSpec = {
  path: ['ops', 'abandon'],
  summary: 'End a write that is in doubt, on your own word',
  details: [
    'For what pay ops resolve cannot find out and you have: nothing is sent, nothing is undone, and its target is free for the next write. If the write was done after all, doing it again does it twice.',
    '',
    'Who has abandoned it, when and why (--reason) is recorded. A record that cannot be read is set aside, by the name that pay ops list gives it.',
  ].join('\n'),
  examples: [
    {
      says: 'after a look at the provider',
      line: 'pay ops abandon "$OPERATION" --reason \'not at the provider, SUP-1042\'',
    },
  ],
  args: [ID_ARGUMENT],
  supportsDryRun: true,
  run: async (invocation: Invocation) => {
    const start = await idArgument(invocation)
    const ledger = await invocation.context.ledger()
    const found = await ledger.find(start)
    return found.kind === 'damaged' ? setAside(invocation, ledger, found) : abandon(invocation, ledger, found)
  },
  risk: 'destructive',
  effect:
    'Sends nothing. The record cannot be opened again; if the write was done after all, doing it anew does it twice.',
  exitCodes: [EXIT.notFound, EXIT.conflict],
  related: ['ops show', 'ops resolve'],
}

type FoundRecord = Extract<Found, { kind: 'record' }>

async function abandon(invocation: Invocation, ledger: FileLedger, found: FoundRecord): Promise<Result> {
  const { record } = found
  if (!isOpen(record)) throw alreadyOver(found)
  keepKeys(invocation, record)
  if (invocation.isInteractive) {
    const options = { ...(await invocation.renderOptions()), paint: await invocation.paint('stderr') }
    await invocation.warn(recordView.render({ ...(await shownRecord(found)), next: [] }, options), 'ids')
    await invocation.warn(
      'If it was done, doing it once more does it twice. If it was not done, nothing will do it now.',
    )
  }
  if (invocation.settings.mode === 'dry-run') {
    await invocation.note('Nothing was changed.')
    return resultOf({ ...published(record), next: lookAt(record) }, abandonedView('It would be abandoned'))
  }
  const now = await (found.isPidOnly ? abandonUnsure : abandonLeft)(invocation, ledger, found)
  // Another process has settled it meanwhile.
  if (now.state !== 'abandoned') throw alreadyOver({ record: now })
  return resultOf({ ...published(now), next: lookAt(now) }, abandonedView('Abandoned'))
}

/** A key may have got into the words by mistake; no account is opened here, which would make it known. */
function keepKeys({ context, keepSecret }: Invocation, record: StoredRecord): void {
  const { PAY_API_KEY: given } = context.env
  if (given !== undefined) keepSecret(given)
  try {
    const { apiKey } = accountOfRecord(context, record)
    if (apiKey !== undefined) keepSecret(apiKey.value)
  } catch (error) {
    // Without an account there is no key to hide.
    if (!(error instanceof PayError)) throw error
  }
}

async function abandonLeft(
  invocation: Invocation,
  ledger: FileLedger,
  { record }: FoundRecord,
): Promise<StoredRecord> {
  const what = describeOperation(record)
  // Before the question: what a process is still sending is not asked about.
  const open = await ledger.reopen(record.id)
  try {
    await confirmOrRefuse(invocation, { sentence: `Abandon ${what}`, what, isLive: record.mode === 'live' })
  } catch (error) {
    await open.release()
    throw error
  }
  return open.abandon(recordedReason(invocation))
}

/** Only the process number of the owner is known: a person has to tell whether it is still pay. */
async function abandonUnsure(
  invocation: Invocation,
  ledger: FileLedger,
  { record, owner }: FoundRecord,
): Promise<StoredRecord> {
  const what = describeOperation(record)
  const process = `process ${owner?.pid ?? 'unknown'}`
  await confirmOrRefuse(invocation, {
    sentence: `Abandon ${what}, though ${process} may still be sending it`,
    what: `${what}, which ${process} may still be sending,`,
    // Whatever the account: it is a person's word that counts here.
    isLive: true,
  })
  const open = await ledger.reopen(record.id, { isConfirmedGone: true })
  return open.abandon(recordedReason(invocation))
}

async function setAside(
  invocation: Invocation,
  ledger: FileLedger,
  { name, path }: DamagedFile,
): Promise<Result> {
  if (invocation.settings.mode === 'dry-run') return resultOf({ damaged: path, setAside: null }, setAsideView)
  // Nobody can tell whether its money was real.
  await confirmOrRefuse(invocation, {
    sentence: `Set the unreadable record ${name} aside, so that its target is free`,
    what: `the unreadable record ${name}`,
    isLive: true,
  })
  return resultOf({ damaged: path, setAside: await ledger.setAside(name) }, setAsideView)
}

async function confirmOrRefuse(
  invocation: Invocation,
  { sentence, what, isLive }: { readonly sentence: string; readonly what: string; readonly isLive: boolean },
): Promise<void> {
  const { settings, isInteractive } = invocation
  if (settings.saysYes) return
  if (!isInteractive) {
    if (!isLive) return
    throw new UsageError(
      `Abandoning ${what} may hide real money that moved, and needs --yes when nobody can be asked`,
      {
        code: 'confirmation_needed',
        outcome: 'unknown',
        hint: 'Add --yes when somebody has looked at the service.',
      },
    )
  }
  await sayYes(invocation, `${sentence}?`, { otherwise: 'it stays as it was', outcome: 'unknown' })
}

const alreadyOver = ({ record }: Pick<FoundRecord, 'record'>): PayError =>
  new PayError(
    'not_open',
    EXIT.conflict,
    `It is over already: ${describeOperation(record)} is ${record.state}`,
    {
      operation: record.operation,
      operationId: record.id,
      retryable: false,
      next: [`pay ops show ${record.id}`],
    },
  )
