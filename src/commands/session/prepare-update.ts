import { getSession, updateSession } from '../../api/operations/session.ts'
import type { Draft } from '../../cli/command/draft.ts'
import { fieldAt, mergeDeep, textAt } from '../../cli/parse/field-path.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { withoutNulls } from '../../cli/command/nulls.ts'
import type { TargetReview } from '../../cli/command/spec.ts'
import { describeLedger } from '../../config/ledger-choice.ts'
import { PayError, UsageError, isInterruption } from '../../errors.ts'
import { renderSessionPreview, sessionChanges } from '../../views/session/changes.ts'
import { isRecord } from '../../is-record.ts'
import { askConfirmation } from '../ask-confirmation.ts'

/** An update replaces each of these as a whole (spec 4.2.3). */
const REPLACED_OBJECTS = ['customer', 'order', 'metadata', 'paymentMethod']

/** Fields that can replace `order` in a request. Responses always use `order`. */
const ORDER_ALTERNATIVES = ['orderDetails', 'lineItems'] as const

/** Before an update: with --merge, merges the current session into the request; on a terminal, shows what will change. */
export async function prepareUpdate(invocation: Invocation, draft: Draft): Promise<TargetReview> {
  const isMerge = switchFlag(invocation.input, 'merge')
  if (isMerge) refuseOrderAlternative(draft.body)
  if (invocation.settings.mode !== 'send')
    return { draft, unchecked: isMerge ? ['the fields that --merge adds from the current session'] : [] }
  if (!isMerge && !invocation.isInteractive) return { draft }
  const session = await readSession(invocation, draft, isMerge)
  if (session === undefined) return { draft }
  const merged = isMerge ? { ...draft, body: mergedBody(session, draft.body) } : draft
  if (invocation.isInteractive) await showChanges(invocation, session, merged.body, isMerge)
  return { draft: merged }
}

/** A session returns an `order`. The alternatives (spec 2.2) can't be merged with it, and would drop its fields. */
function refuseOrderAlternative(body: unknown): void {
  const [field] = ORDER_ALTERNATIVES.filter((name) => fieldAt(body, [name]) !== undefined)
  if (field === undefined) return
  throw new UsageError(`--merge cannot merge ${field}`, {
    code: 'invalid_body',
    operation: updateSession.id,
    outcome: 'none',
    validationErrors: [{ path: field, description: "cannot be merged into the session's order" }],
    hint: `Use ${field === 'lineItems' ? 'order.lineItems' : 'order'} instead`,
  })
}

/** Reads the current session. If that fails, a merge must fail too, or it would drop fields unnoticed; a preview only warns. */
async function readSession(invocation: Invocation, draft: Draft, isMerge: boolean): Promise<unknown> {
  const clientToken = textAt(draft.body, 'clientToken') ?? ''
  try {
    const answer = await invocation.call({ operation: getSession, params: {}, query: { clientToken } })
    if (isRecord(answer.json) || !isMerge) return withoutNulls(answer.json)
    throw new UsageError('The session could not be read, so there is nothing to merge with', {
      code: 'session_unread',
      outcome: 'none',
    })
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error) || isMerge) throw error
    await invocation.warn(
      `The session could not be read (${error.message}), so any fields this drops are unknown.`,
    )
    return undefined
  }
}

/** Given values win, null clears a field, and fields left out keep their current value. */
function mergedBody(session: unknown, body: unknown): unknown {
  if (!isRecord(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, given]) => {
      if (!REPLACED_OBJECTS.includes(name) || !isRecord(given)) return [name, given]
      const current = fieldAt(session, [name])
      return [name, mergeDeep(name === 'paymentMethod' ? withoutOptions(current) : current, given)]
    }),
  )
}

/** The options of a payment method are fixed when the session is created and can't be sent again (spec 4.2.5). */
function withoutOptions(method: unknown): unknown {
  if (!isRecord(method)) return method
  const { options: _options, ...rest } = method
  return rest
}

async function showChanges(
  invocation: Invocation,
  session: unknown,
  body: unknown,
  isMerge: boolean,
): Promise<void> {
  const { context, settings } = invocation
  const { profile, mode, baseUrl, ledger } = await invocation.account()
  const name = profile?.value ?? baseUrl.value
  const changes = sessionChanges(session, body)
  const options = {
    paint: await invocation.paint('stderr'),
    width: context.stderr.columns,
    timeZone: undefined,
  }
  const text = renderSessionPreview(
    { changes, merges: isMerge, profileName: name, mode: mode.value, ledger: describeLedger(ledger) },
    options,
  )
  await invocation.warn(`${text}\n`, 'ids')
  const drops = changes.filter(({ kind }) => kind === 'dropped').length
  if (drops === 0 || mode.value !== 'live' || settings.assumesYes) return
  const what = drops === 1 ? '1 field' : `${drops} fields`
  await askConfirmation(invocation, `Drop ${what} from the session on LIVE profile ${name}?`, {
    ifDeclined: 'nothing was sent',
    operation: updateSession.id,
    outcome: 'none',
    hint: 'To keep the current fields, add --merge.',
  })
}
