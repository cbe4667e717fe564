import { readProfiles } from '../../client/config/read-profiles.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { profileChoices } from '../../cli/account/profile-choices.ts'
import { ACCOUNT_FLAGS, flagWords } from '../../cli/command/flag-words.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec, Tree } from '../../cli/command/spec.ts'
import { EXIT, PayError, UsageError, interruptedBy, isInterruption } from '../../errors.ts'
import { withoutSeconds, formatLocalTime } from '../../text/local-time.ts'
import { published, paymentOf } from '../../client/ledger/record.ts'
import { describeOperation, isOpen } from '../../views/ops/state.ts'
import { listScreen } from './list-screen.ts'
import { startList } from './list-state.ts'
import type { ListAnswer, ListState, DeskRow } from './list-state.ts'
import {
  openWrites,
  print,
  reading,
  show,
  titleOf,
  accountName,
  isAway,
  noteKey,
  noteRead,
} from './session.ts'
import type { Desk } from './session.ts'
import { getPayment } from '../../api/operations/payment.ts'
import { wrapWords } from '../../output/wrap.ts'
import { formatAmount, formatField, joinParts } from '../../views/format-fields.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { explanationView } from '../../views/payment/explanation.ts'
import type { Explanation } from '../../views/payment/explanation.ts'
import { formatStyle, styleOfSummary } from '../../views/payment/status.ts'
import { explainPayment } from '../explain-payment.ts'
import { entriesFor, entryOf, menuScreen } from './menu.ts'
import type { Choice, Entry } from './menu.ts'
import { shownUrl } from '../../client/config/sandbox-url.ts'
import { run } from '../../cli/run.ts'
import type { Prompts } from '../../cli/command/prompts-port.ts'
import { shellWord } from '../../files/shell.ts'

export const command: CommandSpec = {
  path: ['desk'],
  summary: 'Find a payment, see its story, and act on it, in one place',
  details:
    'Opens on the newest payments. Type to search as pay find does, and press Enter to open a payment. An action runs its own command, with its own questions, and prints the command line.\nWith TERM=dumb, ACCESSIBLE=1 or PAY_PLAIN=1, the desk shows numbered lists and never redraws a line.',
  examples: [
    { purpose: 'open the desk of a profile', line: 'pay desk --profile shop' },
    { purpose: 'start with a search', line: 'pay desk "4242 today"' },
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
    read: new Map(),
    done: [],
    doubtful: [],
    lastKeyAt: context.now(),
    asksForName: false,
  }
  const opened = context.now()
  try {
    await useDesk(desk, input.args['TEXT'] ?? '')
  } catch (error) {
    await offerReport(desk, opened)
    await refuseDoubt(desk)
    throw isInterruption(error)
      ? interruptedBy(context.interruption.stop, 'You left the desk. Nothing you did here is in doubt.', {})
      : error
  }
  await offerReport(desk, opened)
  await refuseDoubt(desk)
  return { exitCode: EXIT.done, render: async () => '' }
}

const accountFlags = ({ flags }: CommandInput): CommandInput['flags'] =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => ACCOUNT_FLAGS.some((known) => known === name)))

async function useDesk(desk: Desk, text: string): Promise<void> {
  let state = startList(titleOf(desk), text)
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
      title: titleOf(desk),
      attention: isStale ? undefined : answer.state.attention,
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

/** Names the command that hands over what was done here, if anything was. */
async function offerReport(desk: Desk, opened: Date): Promise<void> {
  if (!desk.done.some(({ exitCode }) => Object.hasOwn(OUTCOMES, exitCode))) return
  const minutes = Math.ceil((desk.context.now().getTime() - opened.getTime()) / 60_000) + 1
  const line = lineOf(['ops', 'report', '--from', `${minutes}m`, ...flagWords(desk, ACCOUNT_FLAGS)])
  await print(desk, `To hand over what was done here: ${desk.paint(line, 'accent')}\n`)
}

/** Throws if a write that was made here is in doubt, which outranks how the desk was left. */
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

/** Opens a row: prints what the payment's story is, then offers what can be done until the person goes back. */
async function openRow(desk: Desk, row: DeskRow): Promise<void> {
  let isPrinted = false
  for (;;) {
    const explanation = row.paymentId === undefined ? undefined : await explain(desk, row.paymentId)
    if (explanation !== undefined && !isPrinted) await printExplanation(desk, explanation)
    isPrinted = true
    const entries = await entriesOf(desk, row, explanation)
    if (entries.length === 0) return
    const choice = await show(desk, menuScreen(menuTitle(desk, row, explanation), entries))
    if (choice.kind === 'back') return
    isPrinted = choice.kind !== 'again'
    await doChoice(desk, choice, explanation)
    const { stop } = desk.context.interruption
    if (stop.aborted) throw interruptedBy(stop)
  }
}

async function doChoice(desk: Desk, choice: Choice, explanation: Explanation | undefined): Promise<void> {
  if (choice.kind === 'run') return runAction(desk, choice.args)
  if (choice.kind !== 'copy') return
  const commands = (explanation?.actions ?? []).map((action) => `  ${action.command}`)
  await print(desk, `${desk.paint('Commands to copy', 'strong')}\n${commands.join('\n')}\n`)
}

/** Explains a payment. Undefined, after saying why, if it can't be read: Ctrl-C ends only the reading. */
async function explain(desk: Desk, id: string): Promise<Explanation | undefined> {
  try {
    return await desk.context.interruptibly((context) =>
      reading({ ...desk, context }, async (invocation) => {
        const { json } = await invocation.call({ operation: getPayment, params: { id } })
        const explanation = await explainPayment(invocation, id, json)
        noteRead(desk, { ...explanation.payment, id })
        return explanation
      }),
    )
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    const problem = `Payment ${formatField(id)} could not be read. ${error.message}`
    const lines = wrapWords(problem, desk.context.stderr.columns)
    await print(desk, desk.paint(`${lines.join('\n')}\n`, 'warn'))
    return undefined
  }
}

async function printExplanation(desk: Desk, explanation: Explanation): Promise<void> {
  const { stderr, timeZone } = desk.context
  const options = { paint: desk.paint, width: stderr.columns, timeZone: timeZone() }
  // The menu offers the actions.
  await print(desk, `\n${explanationView.render({ ...explanation, actions: [] }, options)}\n`)
}

async function entriesOf(
  desk: Desk,
  row: DeskRow,
  explanation: Explanation | undefined,
): Promise<readonly Entry[]> {
  const open = explanation?.ledger?.find(isOpen) ?? (await openWriteOf(desk, row))
  if (explanation === undefined || row.paymentId === undefined)
    return open === undefined ? [] : [entryOf(open)]
  return entriesFor(row.paymentId, explanation.payment, open)
}

async function openWriteOf(
  desk: Desk,
  { paymentId, writeId }: DeskRow,
): Promise<OperationRecord | undefined> {
  const found = (await openWrites(desk))?.find(
    (record) => record.id === writeId || (paymentId !== undefined && paymentOf(record) === paymentId),
  )
  return found === undefined ? undefined : published(found)
}

const menuTitle = (
  { account }: Desk,
  { id, paymentId }: DeskRow,
  explanation: Explanation | undefined,
): string => {
  const { amount, currencyCode } = explanation?.payment ?? {}
  return joinParts(
    [
      accountName(account),
      paymentId === undefined ? `write ${formatField(id)}` : `payment ${formatField(paymentId)}`,
      explanation === undefined ? undefined : formatStyle(styleOfSummary(explanation.payment)),
      formatAmount(amount, currencyCode),
    ],
    ' · ',
  )
}

/** Runs a command as the command line would: with its own questions, preview, limits, ledger, connection and interruption. */
async function runAction(desk: Desk, args: readonly string[]): Promise<void> {
  if (await hasChanged(desk)) return
  const { context, tree, paint } = desk
  const account = flagWords(desk, ACCOUNT_FLAGS)
  let words = [...args, ...account]
  const printed = () => lineOf([...words, ...defaultProfileOf(desk)])
  await print(desk, paint(`$ ${printed()}`, 'strong'))
  const known = new Map((await openWrites(desk))?.map(({ id, updatedAt }) => [id, updatedAt]))
  const exitCode = await context.interruptibly((inner) =>
    run(tree, words, {
      ...inner,
      isDesk: true,
      onWholeLine: (whole) => {
        words = [...whole, ...account]
      },
      prompts: async (...options) => watched(desk, await inner.prompts(...options)),
    }),
  )
  for (const record of (await openWrites(desk)) ?? [])
    if (record.state === 'in-doubt' && known.get(record.id) !== record.updatedAt)
      desk.doubtful.push({ record, account: desk.account })
  const done = { at: context.now(), line: printed(), exitCode }
  desk.done.push(done)
  await print(desk, `${paint(outcomeOf(exitCode), exitCode === EXIT.done ? 'good' : 'warn')}: ${done.line}\n`)
}

/** The flag for a profile that no flag named: the person who pastes the line may have another default. */
function defaultProfileOf(desk: Desk): readonly string[] {
  const { profile, baseUrl } = desk.account
  const isNamed = flagWords(desk, ['sandbox', 'profile', 'base-url']).length > 0
  return isNamed || profile === undefined || baseUrl.source !== `profile ${profile.value}`
    ? []
    : ['--profile', profile.value]
}

/** Whether the account has changed: an action must go to the one that the title names. */
async function hasChanged(desk: Desk): Promise<boolean> {
  const account = await reading(desk, (invocation) => invocation.account())
  const [before, after] = [desk.account, account].map(
    (one) => `${accountName(one)} (${shownUrl(one.baseUrl.value)})`,
  )
  desk.account = account
  if (before === after) return false
  desk.read.clear()
  await print(
    desk,
    desk.paint(`The profile has changed: ${before} is ${after}. Nothing was run; choose again.\n`, 'warn'),
  )
  return true
}

const lineOf = (words: readonly string[]): string => ['pay', ...words].map(shellWord).join(' ')

const OUTCOMES: Readonly<Record<number, string>> = {
  [EXIT.done]: '✓ Done',
  [EXIT.notFinished]: '… Not finished (8)',
  [EXIT.outcomeUnknown]: '? Outcome unknown (10)',
  [EXIT.declined]: '✗ Declined (13)',
}

const outcomeOf = (exitCode: number): string => OUTCOMES[exitCode] ?? `✗ Not done (${exitCode})`

/** Notices who answers, and after a long absence asks for the profile's name. */
function watched(desk: Desk, prompts: Prompts): Prompts {
  const noticed = async <T>(asked: Promise<T>): Promise<T> => {
    const answer = await asked
    noteKey(desk)
    return answer
  }
  const askForName = async (sentence: string): Promise<boolean> => {
    await print(desk, desk.paint('Nobody has pressed a key for 30 minutes.', 'warn'))
    const name = await prompts.text({ label: sentence, hint: "type the profile's name" })
    desk.asksForName = name.trim() !== desk.account.profile?.value
    return !desk.asksForName
  }
  const confirm: Prompts['confirm'] = async (question) => {
    if (desk.asksForName) return askForName(question.sentence)
    const askedAt = desk.context.now()
    const isYes = await prompts.confirm(question)
    return isYes && isAway(desk, askedAt) ? askForName(question.sentence) : isYes
  }
  return {
    ...prompts,
    text: (question) => noticed(prompts.text(question)),
    secret: (question) => noticed(prompts.secret(question)),
    choose: (question) => noticed(prompts.choose(question)),
    confirm: (question) => noticed(confirm(question)),
  }
}
