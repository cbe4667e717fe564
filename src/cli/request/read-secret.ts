import { readSecretLine } from './read-data.ts'
import type { Invocation } from '../command/invocation.ts'

/**
 * A token or a key that `-` stands for: one line of stdin. At a terminal nobody has piped anything, so it is asked for
 * with nothing shown; where no question may be asked, a word says what is waited for.
 */
export async function readSecret(
  invocation: Invocation,
  { what, label }: { readonly what: string; readonly label: string },
): Promise<string> {
  const { context, isInteractive } = invocation
  if (isInteractive) {
    const prompts = await invocation.prompts()
    const answer = await prompts.secret({
      label,
      check: (typed) => (/^\S+$/.test(typed.trim()) ? undefined : 'One word is needed'),
    })
    return answer.trim()
  }
  if (context.stdin.isTTY)
    await invocation.warn(`${what} is read from stdin: paste it, press Enter, then Ctrl-D.`)
  return readSecretLine(context, what)
}
