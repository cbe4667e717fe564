import { getSession } from '../../api/operations/session.ts'
import type { Draft } from '../../cli/command/draft.ts'
import { fieldAt, mergeDeep, textAt } from '../../cli/parse/field-path.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { withoutNulls } from '../../cli/command/nulls.ts'
import type { TargetReview } from '../../cli/command/spec.ts'
import { PayError, UsageError, isInterruption } from '../../errors.ts'
import { renderSessionPreview, sessionChanges } from '../../views/session/changes.ts'
import { isRecord } from '../../is-record.ts'
import { sayYes } from '../say-yes.ts'

/** Each is replaced as a whole (spec 4.2.3). */
const REPLACED_WHOLE = ['customer', 'order', 'metadata', 'paymentMethod']

/** What may stand in place of `order`, whose form the session is answered in. */
const OTHER_FORM = ['orderDetails', 'lineItems'] as const

/** The session as it is now: merged into what is sent with --merge, and held against it for a person to see. */
export async function lookAtSession(invocation: Invocation, draft: Draft): Promise<TargetReview> {
  const merges = switchFlag(invocation.input, 'merge')
  if (merges) refuseOtherForm(draft.body)
  if (invocation.settings.mode !== 'send')
    return { draft, unchecked: merges ? ['what --merge adds from the session as it is now'] : [] }
  if (!merges && !invocation.isInteractive) return { draft }
  const session = await readSession(invocation, draft, merges)
  if (session === undefined) return { draft }
  const merged = merges ? { ...draft, body: mergedBody(session, draft.body) } : draft
  if (invocation.isInteractive) await showChanges(invocation, session, merged.body, merges)
  return { draft: merged }
}

/** The session has an order: what is given in the other form (spec 2.2) is merged with nothing, and drops what is there. */
function refuseOtherForm(body: unknown): void {
  const [field] = OTHER_FORM.filter((name) => fieldAt(body, [name]) !== undefined)
  if (field === undefined) return
  throw new UsageError(`--merge cannot merge ${field}`, {
    code: 'invalid_body',
    operation: 'session.update',
    outcome: 'none',
    validationErrors: [{ path: field, description: 'cannot be merged into the order of the session' }],
    hint: `Give it as ${field === 'lineItems' ? 'order.lineItems' : 'order'}`,
  })
}

/** To merge without it would drop what nobody has seen; to show what changes can be done without. */
async function readSession(invocation: Invocation, draft: Draft, merges: boolean): Promise<unknown> {
  const clientToken = textAt(draft.body, 'clientToken') ?? ''
  try {
    const answer = await invocation.call({ operation: getSession, params: {}, query: { clientToken } })
    if (isRecord(answer.json) || !merges) return withoutNulls(answer.json)
    throw new UsageError('The session could not be read, so that there is nothing to merge with', {
      code: 'session_unread',
      outcome: 'none',
    })
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error) || merges) throw error
    await invocation.warn(`The session could not be read (${error.message}); what this drops is unknown.`)
    return undefined
  }
}

/** What is given wins, null clears, and what is not given stays. Fields that are not sent are not touched anyway. */
function mergedBody(session: unknown, body: unknown): unknown {
  if (!isRecord(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, given]) => {
      if (!REPLACED_WHOLE.includes(name) || !isRecord(given)) return [name, given]
      const now = fieldAt(session, [name])
      return [name, mergeDeep(name === 'paymentMethod' ? withoutOptions(now) : now, given)]
    }),
  )
}

/** They stay as they were made, and cannot be sent (spec 4.2.5). */
function withoutOptions(method: unknown): unknown {
  if (!isRecord(method)) return method
  const { options: _options, ...rest } = method
  return rest
}

async function showChanges(
  invocation: Invocation,
  session: unknown,
  body: unknown,
  merges: boolean,
): Promise<void> {
  const { context, settings } = invocation
  const { profile, mode, baseUrl } = await invocation.account()
  const name = profile?.value ?? baseUrl.value
  const changes = sessionChanges(session, body)
  const options = {
    paint: await invocation.paint('stderr'),
    width: context.stderr.columns,
    timeZone: undefined,
  }
  const text = renderSessionPreview({ changes, merges, profileName: name, mode: mode.value }, options)
  await invocation.warn(`${text}\n`, 'ids')
  const drops = changes.filter(({ kind }) => kind === 'dropped').length
  if (drops === 0 || mode.value !== 'live' || settings.saysYes) return
  const what = drops === 1 ? '1 field' : `${drops} fields`
  await sayYes(invocation, `Drop ${what} of the session on LIVE profile ${name}?`, {
    otherwise: 'nothing was sent',
    operation: 'session.update',
    outcome: 'none',
    hint: '--merge sends what is there now as well.',
  })
}
