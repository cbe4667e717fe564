import { EXIT, messageOf, PayError } from '../../errors.ts'
import type { HeldWrite, Standing } from '../ledger/port.ts'
import { lowerFirst } from '../../text/words.ts'
import { shellWord } from '../../files/shell.ts'

/** The only place that words what is known of a write whose outcome the ledger could not record. */

type Unsettled = Pick<HeldWrite, 'id' | 'place' | 'standing'>

/** What is known after a failed `settle`. */
interface Unrecorded {
  readonly operationId: string
  /** Why it failed and where the ledger is, as a clause. */
  readonly why: string
  /** `unknown` if the ledger can't be read. */
  readonly standing: Standing | 'unknown'
}

export async function findUnrecorded(intent: Unsettled, reason: unknown): Promise<Unrecorded> {
  const { id: operationId, place } = intent
  const message = messageOf(reason)
  const said = reason instanceof PayError ? STANDINGS[reason.code] : undefined
  const isPlaced = reason instanceof PayError && reason.details.ledgerPath !== undefined
  return {
    operationId,
    why: said === 'taken' || said === 'ended' || isPlaced ? message : `${message}: ${place}`,
    standing: said ?? (await intent.standing().catch(() => 'unknown' as const)),
  }
}

/** What the ledger's refusals to record an outcome say of the record. */
const STANDINGS: Readonly<Partial<Record<string, Standing>>> = {
  overtaken: 'ended',
  in_progress: 'taken',
  record_gone: 'gone',
}

/** The warning with a response. The write keeps its exit code. */
export const unrecordedWarning = (facts: Unrecorded): string =>
  `The service responded, but the outcome could not be recorded: ${facts.why}.${afterwards(facts)}`

/** What follows the words of a resolution. */
export const unrecordedWords = (facts: Unrecorded): string =>
  `But this could not be recorded: ${facts.why}.${afterwards(facts)}`

/** What the ledger has now, as a sentence after `why`; empty where `why` says it. */
function afterwards({ standing, operationId }: Unrecorded): string {
  switch (standing) {
    case 'ours':
      return ` The ledger has it as open: see pay ops show ${shellWord(operationId)}.`
    case 'unknown':
      return " Whether the ledger has it as open can't be told: see pay ops list."
    case 'gone':
      return ' Nothing here blocks an equal write now.'
    case 'taken':
    case 'ended':
      return ` See pay ops show ${shellWord(operationId)}.`
  }
}

/** The error of a decision to abandon a write, if the ledger failed while it recorded that. */
export function unrecordedAbandoning(error: PayError, facts: Unrecorded): PayError {
  // Then the error says what happened, and nothing has changed.
  if (facts.standing === 'ours') return error
  const message = 'The ledger failed while it recorded that the write is abandoned, and may have kept that'
  return new PayError(error.code, error.exitCode, message, {
    operationId: facts.operationId,
    outcome: 'unknown',
    hint: `${facts.why}.`,
    next: showCommands(facts),
    cause: error,
  })
}

/** The error of a call whose outcome could not be recorded either. `isSent`: whether this process has sent a request. */
export function unrecordedError(error: PayError, facts: Unrecorded, isSent: boolean): PayError {
  const { standing } = facts
  const isUndone = error.details.outcome === 'none'
  if (standing === 'taken' || standing === 'ended')
    // That this process did nothing says nothing about the other one.
    return isUndone
      ? takenOverError(error, facts, isSent)
      : withMore(error, { hint: `${facts.why}.`, next: showCommands(facts) })
  if (standing === 'gone') return goneError(error, facts)
  if (isUndone) return undoneError(error, facts, isSent)
  return withMore(error, {
    hint:
      standing === 'ours'
        ? `That could not be recorded, so the operation stays open: ${facts.why}.`
        : `That could not be recorded: ${facts.why}. If pay ops list shows it, pay ops resolve finds out what happened; if not, check the payment before you repeat it.`,
    ...(standing === 'ours' ? {} : { next: ['pay ops list'] }),
  })
}

/** The error if this process has done nothing, but another one has the write and may have done it. */
function takenOverError(error: PayError, facts: Unrecorded, isSent: boolean): PayError {
  const { headline: _, ...details } = error.details
  const message = 'another process has taken the write over, and may have done it'
  const more = {
    ...details,
    operationId: facts.operationId,
    retryable: false,
    hint: `${facts.why}. Look at its record before you try again.`,
    next: showCommands(facts),
    cause: error,
  }
  return isSent
    ? new PayError('outcome_unknown', EXIT.outcomeUnknown, `${error.message}, but ${message}`, {
        ...more,
        outcome: 'unknown',
      })
    : new PayError('lease_lapsed', EXIT.conflict, `Nothing was sent, but ${message}`, more)
}

/** The error if the ledger has no such record: there is nothing to show, to resolve or to abandon. */
function goneError(error: PayError, facts: Unrecorded): PayError {
  const { operationId: _, headline: _line, ...details } = error.details
  const isUndone = details.outcome === 'none'
  return new PayError(
    error.code,
    error.exitCode,
    error.code === 'lease_lapsed' ? `Nothing was sent: ${lowerFirst(facts.why)}` : error.message,
    {
      ...details,
      hint: [
        details.hint !== undefined && error.code !== 'lease_lapsed' ? details.hint : undefined,
        error.code === 'lease_lapsed' ? undefined : `That could not be recorded: ${facts.why}.`,
        isUndone
          ? undefined
          : 'Nothing here blocks an equal write now, so check the payment before you repeat it.',
      ]
        .filter((part) => part !== undefined)
        .join(' '),
      ...(error.code === 'lease_lapsed' ? { next: ['pay ops list'] } : {}),
      cause: error,
    },
  )
}

/** The error if nothing was done, although the record is open and says that it may have been. */
function undoneError(error: PayError, facts: Unrecorded, isSent: boolean): PayError {
  const { headline: _, ...details } = error.details
  // Its message is a sentence.
  const stop = error.code === 'interrupted' ? '' : '.'
  const known = isSent ? 'Nothing was done, but that' : 'That'
  const again = isSent ? ' again' : ''
  const condition = facts.standing === 'ours' ? '' : 'If pay ops list shows it, '
  return new PayError(
    'outcome_unrecorded',
    EXIT.outcomeUnknown,
    `${error.message}${stop} ${known} could not be recorded (${facts.why})`,
    {
      ...details,
      operationId: facts.operationId,
      outcome: 'unknown',
      retryable: false,
      hint: `${condition}pay ops resolve may send it${again}. To prevent that, run pay ops abandon ${shellWord(facts.operationId)}.`,
      ...(facts.standing === 'ours' ? {} : { next: ['pay ops list'] }),
      cause: error,
    },
  )
}

const showCommands = ({ operationId }: Unrecorded): readonly string[] => [
  `pay ops show ${shellWord(operationId)}`,
]

function withMore(
  error: PayError,
  { hint: words, next }: { readonly hint: string; readonly next?: readonly string[] },
): PayError {
  const { hint, ...details } = error.details
  return new PayError(error.code, error.exitCode, error.message, {
    ...details,
    hint: hint === undefined ? words : `${hint} ${words}`,
    ...(next === undefined ? {} : { next }),
    cause: error,
  })
}

/** Why this process must not send a write that it has taken over: another process has it. */
export async function whyNotOurs(intent: Pick<HeldWrite, 'place' | 'standing'>): Promise<string> {
  switch (await intent.standing()) {
    case 'gone':
      return `The ledger has no record of it any more (${intent.place}): nothing was sent.`
    case 'ended':
      return 'Another process has ended it meanwhile: nothing was sent.'
    case 'taken':
    case 'ours':
      return 'Another process has taken it over: nothing was sent.'
  }
}
