import { PayError } from '../errors.ts'
import type { Answer, Call } from '../http/call.ts'
import type { Invocation } from './invocation.ts'

/**
 * Calls, unless the same was done a few minutes ago: then a person is asked, and a script on a live profile is refused.
 * `--yes` is no answer to that; `--again` is.
 */
export async function callOnce(invocation: Invocation, call: Call): Promise<Answer> {
  const { settings, isInteractive } = invocation
  const { mode } = await invocation.account()
  const mayRepeat = settings.saysAgain || (mode.value === 'test' && !isInteractive)
  try {
    return await invocation.call({ ...call, mayRepeat })
  } catch (error) {
    if (!(error instanceof PayError) || error.code !== 'duplicate' || !isInteractive) throw error
    const prompts = await invocation.context.prompts()
    const words = error.message.replace(/^Nothing was sent: t/, 'T')
    if (!(await prompts.confirm({ sentence: `${invocation.hideSecrets(words)}. Do it once more?` })))
      throw error
    return invocation.call({ ...call, mayRepeat: true })
  }
}
