import { READ } from '../../api/facts.ts'
import type { CallOperation } from '../../client/calls/call.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { textAt } from '../../json/fields.ts'
import { isLoopback } from '../../text/loopback.ts'
import { SANDBOX_KEY } from '../../client/config/resolve-account.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { isRelativeTime } from '../../views/search/times.ts'

/** The sandbox's own, which isn't in the table of operations. */
const READ_CLOCK: CallOperation = {
  ...READ,
  id: 'api',
  method: 'GET',
  path: '/sandbox/clock',
  summary: "Read the sandbox's clock",
  clientFields: null,
  command: null,
  scope: '',
  beta: false,
}

/** The time that `7d` or `today` among these texts counts from. */
export const timeFor = async (
  invocation: AsksForTime,
  texts: readonly (string | undefined)[],
): Promise<Date> =>
  texts.some((text) => text !== undefined && isRelativeTime(text))
    ? serviceTime(invocation)
    : invocation.context.now()

type AsksForTime = Pick<Invocation, 'account' | 'call' | 'context' | 'settings'>

/** The sandbox's clock on a sandbox, else this machine's. */
export async function serviceTime({ account, call, context, settings }: AsksForTime): Promise<Date> {
  if (settings.mode !== 'send') return context.now()
  const { kind, baseUrl, apiKey } = await account()
  const isServedSandbox = apiKey?.value === SANDBOX_KEY && isLoopback(new URL(baseUrl.value).hostname)
  if (kind !== 'sandbox' && !isServedSandbox) return context.now()
  try {
    const { json } = await call({ operation: READ_CLOCK, params: {} })
    const at = Date.parse(textAt(json, 'now') ?? '')
    return Number.isNaN(at) ? context.now() : new Date(at)
  } catch (error) {
    // Another service may be behind the address; the command's own call reports what is wrong.
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return context.now()
  }
}
