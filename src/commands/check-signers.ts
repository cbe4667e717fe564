import { checkSignersFile, doubtsAbout } from '../rows/batch/approve/signers-file.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { checkUnsharedFile } from '../files/private-folder.ts'

/**
 * Checks that the team's file of signers, if there is one, lists someone and that only this user can change it.
 * @throws {UsageError} `unreadable_file` or `unsafe_folder`
 */
export async function checkSigners(invocation: Invocation, signersFile: string | undefined): Promise<void> {
  if (signersFile === undefined) return
  await checkTrust(invocation, signersFile)
  checkSignersFile(signersFile)
}

/**
 * Checks that only this user can change the file, and warns of lines that let one person count twice.
 * @throws {UsageError} `unsafe_folder`
 */
export async function checkTrust(
  { context, warn, cleanText }: Invocation,
  signersFile: string,
): Promise<void> {
  checkUnsharedFile(signersFile, context.uid)
  for (const doubt of doubtsAbout(signersFile)) await warn(`Warning: ${cleanText(doubt)}`)
}
