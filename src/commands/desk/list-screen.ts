import type { Change, Screen } from '../../cli/command/prompts-port.ts'
import { EXIT, isInterruption, messageOf, PayError } from '../../errors.ts'
import { readAttention } from './attention.ts'
import { arrive, choose, fail, isReading, isSame, pictureOfList, pressList, typeText } from './list-state.ts'
import type { Asked, ListAnswer, ListState } from './list-state.ts'
import { readPayments } from './payments.ts'
import { reading } from './session.ts'
import type { Desk } from './session.ts'

/** So long after the last typed key, the service is asked. */
const TYPING_MS = 500

/** The list, and the reads that bring its rows. `stop` ends those under way. */
export function listScreen(
  desk: Desk,
  start: ListState,
): { readonly screen: Screen<ListState, ListAnswer>; readonly stop: () => void } {
  let current:
    | { readonly asked: Asked; readonly end: AbortController; readonly hurry: AbortController }
    | undefined
  const follow = (state: ListState, change: Change<ListState, ListAnswer>): void => {
    const { asked } = state
    if (!isReading(state)) return current?.end.abort()
    if (current !== undefined && isSame(current.asked, asked) && !current.end.signal.aborted) {
      if (state.opensOnly) current.hurry.abort()
      return
    }
    const isTyping = current !== undefined && current.asked.text !== asked.text && asked.text !== ''
    current?.end.abort()
    const started = { asked, end: new AbortController(), hurry: new AbortController() }
    current = started
    if (!isTyping || state.opensOnly) started.hurry.abort()
    void read(started, change)
  }
  const read = async (
    { asked, end, hurry }: NonNullable<typeof current>,
    change: Change<ListState, ListAnswer>,
  ): Promise<void> => {
    if (!hurry.signal.aborted)
      await desk.context.sleep(TYPING_MS, AbortSignal.any([end.signal, hurry.signal]))
    if (end.signal.aborted) return
    const { context, settings } = desk
    const stop = AbortSignal.any([context.interruption.stop, end.signal])
    const background = {
      ...desk,
      context: { ...context, spin: undefined, interruption: { ...context.interruption, stop } },
      settings: { ...settings, maxRetries: Math.min(1, settings.maxRetries) },
    }
    try {
      const listed = await reading(background, (invocation) =>
        asked.view === 'attention' ? readAttention(invocation, asked) : readPayments(invocation, asked, stop),
      )
      change((state, atMs) => arrive(state, listed, atMs))
    } catch (error) {
      if (end.signal.aborted || isInterruption(error)) return
      const isRefused = error instanceof PayError && error.exitCode === EXIT.auth
      change((state) =>
        isRefused ? { answer: { kind: 'refused', error, state } } : fail(state, asked, wordsOf(error)),
      )
    }
  }
  return {
    screen: {
      start,
      press: pressList,
      picture: pictureOfList,
      pick: (state, row) => choose(state, () => row),
      enter: typeText,
      isWaiting: isReading,
      follow,
    },
    stop: () => current?.end.abort(),
  }
}

function wordsOf(error: unknown): readonly string[] {
  if (!(error instanceof PayError)) return [messageOf(error)]
  const { exitCode, message, details } = error
  if (exitCode === EXIT.notConnected) return [`Offline: ${message}. ^R tries again.`]
  if (exitCode === EXIT.rateLimited) {
    const wait = details.retryAfter === undefined ? 'in a moment' : `in ${details.retryAfter} s`
    return [`The service has had too many requests (429). Read again with ^R ${wait}.`]
  }
  return [`${message}.${details.hint === undefined ? '' : ` ${details.hint}`}`]
}
