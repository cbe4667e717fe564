import { getSession, updateSession } from '../../api/operations/session.ts'
import type { Draft } from '../../cli/command/draft.ts'
import { fieldAt, mergeDeep, textAt } from '../../json/fields.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { TargetReview } from '../../cli/command/spec.ts'
import { PayError, UsageError, isInterruption } from '../../errors.ts'
import { agree, pluralize } from '../../text/words.ts'
import { isRecord } from '../../json/is-record.ts'
import { askConfirmation } from '../ask-confirmation.ts'

/** Objects that an update replaces as a whole (spec 4.2.3). */
const REPLACED_OBJECTS = ['customer', 'order', 'metadata', 'paymentMethod']

/** Fields that can replace `order` in a request. Responses always use `order`. */
const ORDER_ALTERNATIVES = ['orderDetails', 'lineItems'] as const

/** Before an update: with --merge, merges the current session into the request; else, on a terminal, shows what is lost. */
export async function prepareUpdate(invocation: Invocation, draft: Draft): Promise<TargetReview> {
  const isMerge = switchFlag(invocation.input, 'merge')
  if (isMerge) refuseOrderAlternative(draft.body)
  if (invocation.settings.mode !== 'send')
    return { draft, unchecked: isMerge ? ['the fields that --merge adds from the current session'] : [] }
  if (!isMerge && !invocation.isInteractive) return { draft }
  const session = await readSession(invocation, draft, isMerge)
  if (session === undefined) return { draft }
  if (isMerge) return { draft: { ...draft, body: mergedBody(session, draft.body) } }
  await confirmDropped(invocation, session, draft.body)
  return { draft }
}

/** Refuses other forms of an order (spec 2.2): a session returns an `order`, which they can't be merged with, so they would drop its fields. */
function refuseOrderAlternative(body: unknown): void {
  const [field] = ORDER_ALTERNATIVES.filter((name) => fieldAt(body, [name]) !== undefined)
  if (field === undefined) return
  throw new UsageError(`--merge cannot merge ${field}`, {
    code: 'invalid_body',
    operation: updateSession.id,
    validationErrors: [{ path: field, description: "cannot be merged into the session's order" }],
    hint: `Use ${field === 'lineItems' ? 'order.lineItems' : 'order'} instead`,
  })
}

/** Reads the current session. If that fails, a merge must fail too, or it would drop fields unnoticed; otherwise this only warns. */
async function readSession(invocation: Invocation, draft: Draft, isMerge: boolean): Promise<unknown> {
  const clientToken = textAt(draft.body, 'clientToken') ?? ''
  try {
    const answer = await invocation.call({ operation: getSession, params: {}, query: { clientToken } })
    if (isRecord(answer.json) || !isMerge) return answer.json
    throw new UsageError('The session could not be read, so there is nothing to merge with', {
      code: 'session_unread',
    })
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error) || isMerge) throw error
    await invocation.warn(
      `The session could not be read (${error.message}), so any fields this drops are unknown.`,
    )
    return undefined
  }
}

/** Merges a request into the session: given values win, null clears a field, and fields left out keep their current value. */
function mergedBody(session: unknown, body: unknown): unknown {
  if (!isRecord(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, given]) => {
      if (!REPLACED_OBJECTS.includes(name) || !isRecord(given)) return [name, given]
      return [name, mergeDeep(currentObject(session, name), given)]
    }),
  )
}

/** The object as it can be sent again, without the options of a payment method, which are fixed when the session is created (spec 4.2.5). */
function currentObject(session: unknown, name: string): unknown {
  const current = fieldAt(session, [name])
  if (name !== 'paymentMethod' || !isRecord(current)) return current
  const { options: _options, ...rest } = current
  return rest
}

/** Shows what an update drops, and asks before that on a live profile. */
async function confirmDropped(invocation: Invocation, session: unknown, body: unknown): Promise<void> {
  const dropped = droppedFields(session, body)
  if (dropped.length === 0) return
  const what = pluralize(dropped.length, 'field')
  await invocation.warn(
    invocation.cleanText(
      `! ${what} will be DROPPED, because an update replaces the whole object: ${dropped.join(', ')}. --merge keeps ${agree(dropped.length, 'it', 'them')}.`,
    ),
  )
  const { profile, mode, baseUrl } = await invocation.account()
  if (mode.value !== 'live' || invocation.settings.assumesYes) return
  const name = profile?.value ?? baseUrl.value
  await askConfirmation(invocation, `Drop ${what} from the session on LIVE profile ${name}?`, {
    ifDeclined: 'nothing was sent',
    operation: updateSession.id,
    outcome: 'none',
    hint: 'To keep the current fields, add --merge.',
  })
}

/** The session's fields that are in an object that the update replaces, and not in the new one. */
function droppedFields(session: unknown, body: unknown): readonly string[] {
  const replaced = REPLACED_OBJECTS.flatMap((name) =>
    missingFields(currentObject(session, name), fieldAt(body, [name]), name),
  )
  // This form of an order (spec 2.2) replaces all of it but its line items.
  const details = missingFields(fieldAt(session, ['order']), fieldAt(body, ['orderDetails']), 'order')
  return [...replaced, ...details.filter((path) => path !== 'order.lineItems')]
}

/** The paths that `before` has and `after` lacks. A list is one value. */
function missingFields(before: unknown, after: unknown, path: string): readonly string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return Object.entries(before).flatMap(([name, field]) =>
    Object.hasOwn(after, name)
      ? missingFields(field, after[name], `${path}.${name}`)
      : leavesOf(field, `${path}.${name}`),
  )
}

const leavesOf = (value: unknown, path: string): readonly string[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, field]) => leavesOf(field, `${path}.${name}`))
    : [path]
