import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Pager } from '../command/context.ts'

/** What a shell reports if it can't find or start a program. */
const NOT_STARTED: readonly unknown[] = [126, 127]

/**
 * Shows a text in the user's pager, and resolves when it is closed. False if it can't be started: then nothing was shown.
 * Leaving it early is not an error, and Ctrl-C is for the pager.
 */
export async function page(text: string, { command, env }: Pager): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { ...env } })
  // A pager that is left before the end closes its input.
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  try {
    const [code]: unknown[] = await once(child, 'close')
    return !NOT_STARTED.includes(code)
  } catch {
    return false
  }
}
