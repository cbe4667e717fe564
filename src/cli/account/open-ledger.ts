import { accountOf } from '../../client/calls/build-intent.ts'
import { connectionTo, parseLedgerUrl } from '../../client/config/ledger-choice.ts'
import type { LedgerChoice } from '../../client/config/ledger-choice.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { EXIT, LimitError, PayError } from '../../errors.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import type { LedgerOptions } from '../../client/ledger/own-write.ts'
import { OPEN_STATES } from '../../client/ledger/record.ts'
import type { TeamStore, TeamStoreOptions } from '../../client/ledger/team/store.ts'
import type { Context } from '../command/context.ts'
import { shellWord } from '../../files/shell.ts'

export type TeamChoice = Extract<LedgerChoice, { kind: 'team' }>

interface LedgerParts extends Omit<LedgerOptions, 'store' | 'team'> {
  readonly env: Context['env']
  readonly platform: string
  readonly home: string | undefined
  readonly wait: (ms: number) => Promise<void>
  /** The store of this machine's own ledger. */
  readonly openLocal: () => Promise<LedgerOptions['store']>
}

/**
 * Creates the ledgers of a run. Each is opened at most once. A team's ledger connects when it is opened, and reports a failed
 * connection when it is used.
 */
export function createLedgers(parts: LedgerParts): Pick<Context, 'ledger' | 'teamStore' | 'closeLedgers'> {
  const opened = new Map<string, Promise<WholeLedger>>()
  const stores: TeamStore[] = []

  const once = (name: string, open: () => Promise<WholeLedger>): Promise<WholeLedger> => {
    const known = opened.get(name) ?? open()
    opened.set(name, known)
    return known
  }
  const local = (): Promise<WholeLedger> =>
    once('', async () => {
      const { createLedger } = await import('../../client/ledger/ledger.ts')
      return createLedger({ ...parts, store: await parts.openLocal() })
    })

  async function teamStore(
    { url, id, schema }: Pick<TeamChoice, 'url' | 'id' | 'schema'>,
    options: Pick<TeamStoreOptions, 'account' | 'hasTables'>,
  ): Promise<TeamStore> {
    const { teamStore: open } = await import('../../client/ledger/team/store.ts')
    const address = parseLedgerUrl(url)
    if ('problem' in address) throw new Error(`unchecked: ${address.problem}`)
    const store = open({ ...parts, ...options, url, id, schema, address: connectionTo(address, parts) })
    stores.push(store)
    return store
  }

  const team = (choice: TeamChoice): Promise<WholeLedger> =>
    once(JSON.stringify(choice), async () => {
      const { url, account } = choice
      const { notJoined } = await import('../../client/ledger/team/store.ts')
      if (account === undefined) throw notJoined(choice.source !== 'environment PAY_LEDGER')
      const { createLedger } = await import('../../client/ledger/ledger.ts')
      const store = await teamStore(choice, { account })
      store.warm()
      return createLedger({ ...parts, store, team: { url, account } })
    })

  return {
    ledger: async (account) => {
      switch (account?.ledger.kind) {
        case undefined:
        case 'local':
          return local()
        case 'required':
          return refusingWrites(await local(), async () => {
            throw new LimitError(
              `Profile ${account?.profile?.value ?? ''} sends nothing without a team's ledger`,
              {
                hint: `Name it: pay profile set ${shellWord(account?.profile?.value ?? 'NAME')} --ledger URL, or PAY_LEDGER.`,
              },
            )
          })
        case 'team': {
          const ledger = await team(account.ledger)
          return account.ledger.replacesLocal
            ? refusingWrites(ledger, async () => refuseOpenWrites(await local(), account))
            : ledger
        }
      }
    },
    teamStore,
    closeLedgers: () => {
      for (const store of stores) store.close()
    },
  }
}

/** A ledger that asks before each new write whether it may begin. */
const refusingWrites = (ledger: WholeLedger, refuse: () => Promise<void>): WholeLedger => ({
  ...ledger,
  preflight: async (...intent) => {
    await refuse()
    await ledger.preflight(...intent)
  },
  begin: async (...intent) => {
    await refuse()
    return ledger.begin(...intent)
  },
})

/**
 * Refuses to leave a ledger in which this machine has open writes of the account: the other ledger would not show them.
 * @throws {PayError} exit 6
 */
export async function refuseOpenWrites(
  ledger: WholeLedger,
  { baseUrl, apiKey }: Partial<Account>,
  host?: string,
): Promise<void> {
  if (baseUrl === undefined || apiKey === undefined) return
  const { records } = await ledger.list({ states: OPEN_STATES })
  const id = accountOf({ baseUrl: baseUrl.value, apiKey: apiKey.value })
  const open = records.find(
    (record) => record.apiKeyId === id && (host === undefined || record.host === host),
  )
  if (open === undefined) return
  throw new PayError(
    'ledger_in_use',
    EXIT.conflict,
    `Nothing was sent: ${open.operation} (${open.id}) is open in the ledger that was in use until now`,
    {
      operationId: open.id,
      outcome: 'none',
      retryable: true,
      hint: 'It would not be seen in the other ledger. Resolve it first, with the ledger that it is in.',
      next: [`pay ops resolve ${shellWord(open.id)}`],
    },
  )
}
