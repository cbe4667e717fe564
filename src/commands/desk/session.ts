import type { Payment, PaymentSummary } from '../../api/models/payment.ts'
import { describeLedger } from '../../client/config/ledger-choice.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import type { Context } from '../../cli/command/context.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Prompts, Screen } from '../../cli/command/prompts-port.ts'
import type { Settings } from '../../cli/command/settings.ts'
import type { CommandSpec, Tree } from '../../cli/command/spec.ts'
import { startInvocation } from '../../cli/invocation.ts'
import type { StartedRun } from '../../cli/invocation.ts'
import { PayError, isInterruption } from '../../errors.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { Paint } from '../../output/paint.ts'

/** What the desk knows while it is open. */
export interface Desk {
  readonly context: Context
  readonly tree: Tree
  readonly spec: CommandSpec
  readonly settings: Settings
  readonly paint: Paint
  readonly prompts: Prompts
  /** The account that the title shows. */
  account: Account
  /** The flags that select the account. */
  flags: CommandInput['flags']
  /** Payments that were read in full, by ID. A list's row doesn't tell that a refund failed. */
  readonly read: Map<string, Payment>
  /** Commands that ran. */
  readonly done: Done[]
  /** Writes that these commands left in doubt, and the account of each. */
  readonly doubtful: (Pick<Desk, 'account'> & { readonly record: StoredRecord })[]
  lastKeyAt: Date
  /** Whether nobody was at the keyboard for so long that the next action asks for the profile's name. */
  asksForName: boolean
}

export interface Done {
  readonly at: Date
  readonly line: string
  readonly exitCode: number
}

/** Notes a payment that was read in full. */
export const noteRead = ({ read }: Pick<Desk, 'read'>, payment: Payment): void =>
  void read.set(payment.id ?? '', payment)

/** A list's row with the refunds of the payment as it was read, if it has not changed since. */
export function withRefunds({ read }: Pick<Desk, 'read'>, row: PaymentSummary): PaymentSummary {
  const known = read.get(row.id ?? '')
  const isSame =
    known?.status === row.status && known?.processor?.amountRefunded === row.processor?.amountRefunded
  return known?.transactions === undefined || !isSame ? row : { ...row, transactions: known.transactions }
}

/** How long nobody may be at the keyboard, on a live profile. */
const AWAY_MS = 30 * 60_000

/** Notes that a key was pressed. */
export function noteKey(desk: Desk): void {
  desk.asksForName ||= isAway(desk, desk.lastKeyAt)
  desk.lastKeyAt = desk.context.now()
}

export const isAway = ({ account, context }: Desk, since: Date): boolean =>
  account.mode.value === 'live' && context.now().getTime() - since.getTime() >= AWAY_MS

export const show = <State, Answer>(desk: Desk, screen: Screen<State, Answer>): Promise<Answer> =>
  desk.prompts.show({
    ...screen,
    press: (state, key) => {
      noteKey(desk)
      return screen.press(state, key)
    },
  })

/** Prints a text above what is drawn in place. */
export const print = ({ context }: Pick<Desk, 'context'>, text: string): Promise<void> =>
  context.stderr.write(`${text}\n`)

/** Reads with a connection of its own, as the account is at that time. Prints nothing. */
export async function reading<T>(
  { context, spec, flags, settings }: Pick<Desk, 'context' | 'spec' | 'flags' | 'settings'>,
  act: (invocation: StartedRun) => Promise<T>,
): Promise<T> {
  const { columns, isTTY } = context.stderr
  const invocation = startInvocation({
    context: { ...context, stderr: { columns, isTTY, write: async () => {} } },
    spec,
    input: { args: {}, flags },
    settings,
  })
  try {
    return await act(invocation)
  } finally {
    await invocation.close()
  }
}

/** Writes of the account that are in doubt or under way. Undefined if its ledger can't be read, which refuses every action. */
export async function openWrites({
  context,
  account,
}: Pick<Desk, 'context' | 'account'>): Promise<readonly StoredRecord[] | undefined> {
  try {
    const { records } = await (await context.ledger(account)).list({ states: ['sending', 'in-doubt'] })
    return records.filter(({ baseUrl }) => baseUrl === account.baseUrl.value)
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return undefined
  }
}

/** `LIVE shop`. */
export const accountName = ({ mode, profile, baseUrl }: Account): string =>
  `${mode.value === 'live' ? 'LIVE' : 'test'} ${profile?.value ?? baseUrl.value}`

export const titleOf = ({ account }: Desk): readonly [account: string, ledger: string] => [
  accountName(account),
  describeLedger(account.ledger),
]
