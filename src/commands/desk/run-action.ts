import { shownUrl } from '../../client/config/sandbox-url.ts'
import { run } from '../../cli/run.ts'
import type { Prompts } from '../../cli/command/prompts-port.ts'
import { ACCOUNT_FLAGS, flagWords } from '../../cli/command/flag-words.ts'
import { EXIT } from '../../errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { accountName, isAway, noteKey, openWrites, print, reading } from './session.ts'
import type { Desk } from './session.ts'

/** Runs a command as the command line would: with its own questions, preview, limits, ledger, connection and interruption. */
export async function runAction(desk: Desk, args: readonly string[]): Promise<void> {
  if (await hasChanged(desk)) return
  const { context, tree, paint } = desk
  const account = flagWords(desk, ACCOUNT_FLAGS)
  let words = [...args, ...account]
  await print(desk, paint(`$ ${lineOf(words)}`, 'strong'))
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
  const done = { at: context.now(), line: lineOf(words), exitCode }
  desk.done.push(done)
  await print(desk, `${paint(outcomeOf(exitCode), exitCode === EXIT.done ? 'good' : 'warn')}: ${done.line}\n`)
}

/** An action must go to the account that the title names. */
async function hasChanged(desk: Desk): Promise<boolean> {
  const account = await reading(desk, (invocation) => invocation.account())
  const [before, after] = [desk.account, account].map(
    (one) => `${accountName(one)} (${shownUrl(one.baseUrl.value)})`,
  )
  desk.account = account
  if (before === after) return false
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

export const outcomeOf = (exitCode: number): string => OUTCOMES[exitCode] ?? `✗ Not done (${exitCode})`

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
