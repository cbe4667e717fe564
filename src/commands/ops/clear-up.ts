import { accountOfRecord } from '../../cli/account/account-of-record.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resolveOpen } from '../../cli/resolve-open.ts'
import type { SendFacts } from '../../cli/resolve-open.ts'
import type { Account } from '../../config/resolve-account.ts'
import { PayError } from '../../errors.ts'
import type { FileLedger } from '../../ledger/ledger.ts'
import { published } from '../../ledger/files/record.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import type { ShownResolution } from '../../views/ops/resolution.ts'
import { maySendAgain } from './may-send.ts'
import { nextFor } from './next.ts'

export interface ClearedUp {
  readonly record: StoredRecord
  readonly words: string
  /** Why nothing could be sent or asked, where that is the reason for a doubt that stays. */
  readonly problem: PayError | undefined
}

type Client = Awaited<ReturnType<Invocation['clientOf']>>

/** Clears up one operation after the other, each with the account that it was sent with; connects once for each. */
export function createClearing(invocation: Invocation, ledger: FileLedger) {
  const clients = new Map<string, Promise<Client>>()
  const profileNamedNow = textFlag(invocation.input, 'profile')

  function clientOf(record: StoredRecord, account: Account): Promise<Client> {
    const name = JSON.stringify([record.account, account.baseUrl.value, account.profile?.value])
    const known = clients.get(name)
    if (known !== undefined) return known
    const client = open(account)
    clients.set(name, client)
    return client
  }

  async function open(account: Account): Promise<Client> {
    if (account.kind === 'sandbox') await invocation.note('embedded sandbox: no real money')
    else if (account.apiKey !== undefined) invocation.keepSecret(account.apiKey.value)
    return invocation.clientOf(account)
  }

  return async (id: string): Promise<ClearedUp> => {
    let sent: { readonly record: StoredRecord; readonly account: Account } | undefined
    let problem: PayError | undefined
    const clientFor = async (record: StoredRecord) => {
      const account = accountOfRecord(invocation.context, record, profileNamedNow)
      sent = { record, account }
      return clientOf(record, account)
    }
    const maySend = async (facts: SendFacts) => {
      if (sent === undefined) return false
      try {
        return await maySendAgain(invocation, { ...sent, ...facts })
      } catch (error) {
        if (error instanceof PayError) problem = error
        throw error
      }
    }
    try {
      const { record, resolution } = await resolveOpen(ledger, id, clientFor, { maySend })
      return record.state === resolution.kind
        ? { record, words: resolution.words, problem }
        : withoutDoubt(record)
    } catch (error) {
      // Another process was faster.
      const isOver = error instanceof PayError && error.code === 'no_such_operation'
      const found = isOver ? await ledger.find(id) : undefined
      if (found?.kind !== 'record') throw error
      return withoutDoubt(found.record)
    }
  }
}

export const shownResolution = ({ record, words }: ClearedUp): ShownResolution => ({
  ...published(record),
  resolution: words,
  next: nextFor(record, { isResolved: true }),
})

/** One that has ended, and how that was known then. */
export const withoutDoubt = (record: StoredRecord): ClearedUp => ({
  record,
  words: record.note ?? OVER[record.state],
  problem: undefined,
})

const OVER: Readonly<Record<StoredRecord['state'], string>> = {
  sending: 'It is being sent.',
  'in-doubt': 'It is in doubt.',
  confirmed: 'It is not in doubt: the service answered it.',
  rejected: 'It is not in doubt: it was not done.',
  abandoned: 'It was abandoned by a person.',
}
