import { readProfiles } from '../../client/config/read-profiles.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { profileChoices } from '../../cli/account/profile-choices.ts'
import { ACCOUNT_FLAGS } from '../../cli/command/flag-words.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec, Tree } from '../../cli/command/spec.ts'
import { EXIT, PayError, UsageError, interruptedBy, isInterruption } from '../../errors.ts'
import { withoutSeconds, formatLocalTime } from '../../text/local-time.ts'
import { published } from '../../client/ledger/record.ts'
import { describeOperation } from '../../views/ops/state.ts'
import { listScreen } from './list-screen.ts'
import { startList } from './list-state.ts'
import type { ListAnswer, ListState } from './list-state.ts'
import { openRow } from './payment-screen.ts'
import { outcomeOf } from './run-action.ts'
import { openWrites, print, reading, show, titleOf } from './session.ts'
import type { Desk } from './session.ts'

export const command: CommandSpec = {
  path: ['desk'],
  summary: 'Find a payment, see its story, and act on it, in one place',
  details:
    'Opens on the newest payments. Type to search as pay find does, and press Enter to open a payment. An action runs its own command, with its own questions, and prints the command line.\nWith TERM=dumb, ACCESSIBLE=1 or PAY_PLAIN=1, the desk shows numbered lists and never redraws a line.',
  examples: [
    { purpose: 'open the desk of a profile', line: 'pay desk --profile shop' },
    { purpose: 'start with a search', line: "pay desk '4242 today'" },
  ],
  args: [{ name: 'TEXT', help: 'Words to search for', optional: true }],
  effect: 'Sends nothing but reads. Each action asks before it sends anything, on test profiles too.',
  exitCodes: [EXIT.auth, EXIT.outcomeUnknown],
  related: ['find', 'payment explain', 'ops list'],
  run: runDesk,
}

async function runDesk(invocation: CommandRun, input: CommandInput, tree: Tree): Promise<Result> {
  if (!invocation.isInteractive)
    throw new UsageError('pay desk needs a person at a terminal', {
      code: 'missing_input',
      hint: 'A script searches with pay find, and acts with the commands themselves.',
      next: ['pay find WORD…'],
    })
  const { context, settings, spec } = invocation
  const desk: Desk = {
    context,
    tree,
    spec,
    settings,
    paint: await invocation.paint('stderr'),
    prompts: await invocation.prompts(),
    account: await invocation.account(),
    flags: accountFlags(input),
    done: [],
    doubtful: [],
    lastKeyAt: context.now(),
    asksForName: false,
  }
  try {
    await useDesk(desk, input.args['TEXT'] ?? '')
  } catch (error) {
    await refuseDoubt(desk)
    throw isInterruption(error)
      ? interruptedBy(context.interruption.stop, 'You left the desk. Nothing you did here is in doubt.', {})
      : error
  }
  await refuseDoubt(desk)
  return { exitCode: EXIT.done, render: async () => '' }
}

const accountFlags = ({ flags }: CommandInput): CommandInput['flags'] =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => ACCOUNT_FLAGS.some((known) => known === name)))

async function useDesk(desk: Desk, text: string): Promise<void> {
  let state = startList(await titleOf(desk), text)
  for (;;) {
    const answer = await showList(desk, state)
    if (answer.kind === 'leave') return
    if (answer.kind === 'refused') throw answer.error
    const ran = desk.done.length
    await leaveList(desk, answer)
    const { stop } = desk.context.interruption
    if (stop.aborted) throw interruptedBy(stop)
    const { asked } = answer.state
    const isStale = desk.done.length > ran || answer.kind === 'profile'
    state = {
      ...answer.state,
      title: await titleOf(desk),
      asked: { ...asked, again: asked.again + (isStale ? 1 : 0) },
      ...(answer.kind === 'profile' ? { listed: undefined, chosen: undefined } : {}),
    }
  }
}

async function showList(desk: Desk, state: ListState): Promise<ListAnswer> {
  const { screen, stop } = listScreen(desk, state)
  try {
    return await show(desk, screen)
  } finally {
    stop()
  }
}

async function leaveList(desk: Desk, answer: ListAnswer): Promise<void> {
  if (answer.kind === 'open') await openRow(desk, answer.row)
  if (answer.kind === 'done-here') await printDone(desk)
  if (answer.kind === 'profile') await switchProfile(desk)
}

async function printDone({ done, context, paint }: Desk): Promise<void> {
  const timeZone = context.timeZone() ?? 'UTC'
  const lines = done.map(({ at, line, exitCode }) => {
    const time = withoutSeconds(formatLocalTime(at.toISOString(), timeZone) ?? '').slice(-5)
    return `  ${time}  ${outcomeOf(exitCode)}: ${line}`
  })
  const text = lines.length === 0 ? ['  Nothing yet.'] : lines
  await print({ context }, `${paint('Done here', 'strong')}\n${text.join('\n')}\n`)
}

async function switchProfile(desk: Desk): Promise<void> {
  const { context, prompts, paint } = desk
  try {
    const { profiles } = readProfiles(context.configFolder, { uid: context.uid })
    const others = profiles.has(SANDBOX) ? [] : [SANDBOX]
    const choices = profileChoices(context, others)
    const flags = { profile: await prompts.choose({ label: 'Profile', choices }) }
    const account = await reading({ ...desk, flags }, (invocation) => invocation.account())
    Object.assign(desk, { flags, account })
  } catch (error) {
    if (!(error instanceof PayError) || context.interruption.stop.aborted) throw error
    if (!isInterruption(error)) await print(desk, paint(`${error.message}\n`, 'warn'))
  }
}

/** What was done here and is in doubt outranks how the desk was left. */
async function refuseDoubt(desk: Desk): Promise<void> {
  for (const { record, account } of desk.doubtful) {
    const open = await openWrites({ ...desk, account })
    if (open?.some(({ id }) => id === record.id) === false) continue
    throw new PayError(
      'outcome_unknown',
      EXIT.outcomeUnknown,
      `${describeOperation(published(record))} is still in doubt`,
      { operation: record.operation, operationId: record.id, outcome: 'unknown' },
    )
  }
}
