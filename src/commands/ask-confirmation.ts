import type { Invocation } from '../cli/command/invocation.ts'
import { UsageError } from '../errors.ts'
import type { ErrorDetails } from '../errors.ts'

/**
 * Asks a yes-or-no question on the terminal.
 * @throws {UsageError} if the answer is no, with `ifDeclined` as the consequence, such as "nothing was sent"
 */
export async function askConfirmation(
  { prompts: open, hideSecrets }: Invocation,
  question: string,
  { ifDeclined, ...details }: ErrorDetails & { readonly ifDeclined: string },
): Promise<void> {
  const prompts = await open()
  if (await prompts.confirm({ sentence: hideSecrets(question) })) return
  throw new UsageError(`Not confirmed: ${ifDeclined}`, { code: 'confirmation_refused', ...details })
}
