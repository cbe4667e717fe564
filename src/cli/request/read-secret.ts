import { readSecretLine } from './read-data.ts'
import type { Invocation } from '../command/invocation.ts'

/**
 * Reads the token or key for which `-` was given: one line of stdin. On a terminal, asks without echo instead; if questions are
 * not allowed, waits for a pasted line and says so on stderr.
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
      check: (typed) => (/^\S+$/.test(typed.trim()) ? undefined : 'Enter one word'),
    })
    return answer.trim()
  }
  if (context.stdin.isTTY)
    await invocation.warn(`${what} is read from stdin: paste it, press Enter, then Ctrl-D.`)
  return readSecretLine(context, what)
}
