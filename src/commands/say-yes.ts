import type { Invocation } from '../cli/command/invocation.ts'
import { UsageError } from '../errors.ts'
import type { ErrorDetails } from '../errors.ts'

/**
 * Asks a person, who says yes.
 * @throws {UsageError} where the answer is no: `otherwise` says what that leaves
 */
export async function sayYes(
  { prompts: open, hideSecrets }: Invocation,
  question: string,
  { otherwise, ...details }: ErrorDetails & { readonly otherwise: string },
): Promise<void> {
  const prompts = await open()
  if (await prompts.confirm({ sentence: hideSecrets(question) })) return
  throw new UsageError(`Not confirmed: ${otherwise}`, { code: 'confirmation_refused', ...details })
}
