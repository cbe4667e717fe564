import { AlreadyDoneError, PayError } from '../errors.ts'
import type { Answer, Call } from '../http/call.ts'
import { maskCardNumbers } from '../output/card-number.ts'
import type { Invocation } from './invocation.ts'

/**
 * Calls, unless the same was done a few minutes ago: then a person is asked, and a script on a live profile is refused.
 * `--yes` is no answer to that; `--again` is. What a used ticket was used for is shown.
 */
export async function callOnce(invocation: Invocation, call: Call): Promise<Answer> {
  const { settings, isInteractive } = invocation
  const { mode } = await invocation.account()
  const mayRepeat = settings.saysAgain || (mode.value === 'test' && !isInteractive)
  try {
    return await invocation.call({ ...call, mayRepeat })
  } catch (error) {
    if (error instanceof AlreadyDoneError) {
      const { showDone } = await import('./done-before.ts')
      await showDone(invocation, error.paymentId)
    }
    if (!(error instanceof PayError) || error.code !== 'duplicate' || !isInteractive) throw error
    if (!(await isWantedAgain(invocation, error))) throw error
    return invocation.call({ ...call, mayRepeat: true })
  }
}

async function isWantedAgain(invocation: Invocation, { message }: PayError): Promise<boolean> {
  const prompts = await invocation.prompts()
  const words = message.replace(/^Nothing was sent: t/, 'T')
  return prompts.confirm({ sentence: `${maskCardNumbers(invocation.hideSecrets(words))}. Do it once more?` })
}
