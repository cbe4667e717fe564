import { accountOfRecord } from '../../cli/account/account-of-record.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resolveOpen } from '../../cli/resolve-open.ts'
import type { SendFacts } from '../../cli/resolve-open.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { adviceForRefusedKey } from '../../cli/report/next-steps.ts'
import { EXIT, PayError } from '../../errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import { published } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { describeOperation } from '../../views/ops/state.ts'
import type { ShownResolution } from '../../views/ops/resolution.ts'
import { confirmResend } from './confirm-resend.ts'
import { nextCommands } from './next-commands.ts'

export interface ResolvedRecord {
  readonly record: StoredRecord
  readonly explanation: string
  /** Why nothing could be sent or read, if that is why the record is still in doubt. */
  readonly problem: PayError | undefined
}

type Client = Awaited<ReturnType<Invocation['clientOf']>>

/** Returns a function that resolves one record by its ID, with the account it was sent with. Reuses one client per account. */
export function createResolver(invocation: Invocation, ledger: WholeLedger, { resends = false } = {}) {
  const clients = new Map<string, Promise<Client>>()
  const profileFlag = textFlag(invocation.input, 'profile')

  function clientOf(record: StoredRecord, account: Account): Promise<Client> {
    const name = JSON.stringify([record.account, account.baseUrl.value, account.profile?.value])
    const existing = clients.get(name)
    if (existing !== undefined) return existing
    const client = open(account)
    clients.set(name, client)
    return client
  }

  async function open(account: Account): Promise<Client> {
    if (account.kind === 'sandbox') await invocation.note('embedded sandbox: no real money')
    else if (account.apiKey !== undefined) invocation.keepSecret(account.apiKey.value)
    return invocation.clientOf(account)
  }

  return async (id: string): Promise<ResolvedRecord> => {
    let sent: { readonly record: StoredRecord; readonly account: Account } | undefined
    let problem: PayError | undefined
    const clientFor = async (record: StoredRecord) => {
      // A colleague's profile isn't here: what this one's key may do decides.
      const account =
        ledger.team === undefined
          ? await accountOfRecord(invocation.context, record, profileFlag)
          : await invocation.account()
      sent = { record, account }
      return clientOf(record, account)
    }
    const confirmSend = async (facts: SendFacts) => {
      if (sent === undefined) return false
      try {
        return await confirmResend(invocation, { ...sent, ...facts, resends })
      } catch (error) {
        if (error instanceof PayError) problem = error
        throw error
      }
    }
    try {
      const { record, resolution } = await resolveOpen(ledger, id, clientFor, {
        confirmSend,
        resends,
        timeoutMs: invocation.settings.timeoutMs,
      })
      if (resolution.kind === 'in-doubt' && resolution.isKeyRefused === true && sent !== undefined)
        problem = keyRefused(sent, resolution.words)
      return record.state === resolution.kind
        ? { record, explanation: resolution.words, problem }
        : alreadySettled(record)
    } catch (error) {
      // Another process may have resolved it first.
      const isSettled = error instanceof PayError && error.code === 'no_such_operation'
      const found = isSettled ? await ledger.find(id) : undefined
      if (found?.kind !== 'record') throw error
      return alreadySettled(found.record)
    }
  }
}

/** Every other command needs the key as well, so this one names where to give it. */
function keyRefused(
  { record, account }: { readonly record: StoredRecord; readonly account: Account },
  words: string,
): PayError {
  const flags = account.profile === undefined ? '' : ` --profile ${shellWord(account.profile.value)}`
  const { hint = '', next = [] } = adviceForRefusedKey(account, flags)
  return new PayError(
    'outcome_unknown',
    EXIT.outcomeUnknown,
    `Still in doubt: ${describeOperation(record)}`,
    {
      operation: record.operation,
      operationId: record.id,
      idempotencyKey: record.idempotencyKey ?? undefined,
      outcome: 'unknown',
      retryable: true,
      hint: `${words} ${hint} Give a valid key of the same account, then resolve again.`,
      next: [...next.filter((line) => !line.endsWith('whoami')), `pay ops resolve ${record.id}`],
    },
  )
}

export const shownResolution = ({ record, explanation }: ResolvedRecord): ShownResolution => ({
  ...published(record),
  resolution: explanation,
  next: nextCommands(record, { isResolved: true }),
})

/** The result for a record that is not open: the note stored with it explains the outcome. */
export const alreadySettled = (record: StoredRecord): ResolvedRecord => ({
  record,
  explanation: record.note ?? STATE_TEXTS[record.state],
  problem: undefined,
})

const STATE_TEXTS: Readonly<Record<StoredRecord['state'], string>> = {
  sending: 'It is being sent.',
  'in-doubt': 'It is in doubt.',
  confirmed: 'It is not in doubt: the service confirmed it.',
  rejected: 'It is not in doubt: it was not done.',
  abandoned: 'It was abandoned.',
}
