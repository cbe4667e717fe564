import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Program } from '../command/context.ts'

export interface Executable {
  /** Node, its own options, and our entry. */
  readonly file: string
  readonly args: readonly string[]
}

/** The real thing behind a Context: see {@link Program}. Environment and working folder are those of this process. */
export async function respawn(
  { file, args }: Executable,
  words: readonly string[],
  { logFile, signal, isExpected }: Parameters<Program['respawn']>[1],
): Promise<string | undefined> {
  const log = openSync(logFile, 'a', 0o600)
  try {
    // A session of its own: closing the terminal, or Ctrl-C in it, is not meant for this one.
    const child = spawn(file, [...args, ...words], {
      detached: true,
      stdio: ['ignore', 'pipe', log],
      windowsHide: true,
    })
    return await firstLineOf(child, signal, isExpected)
  } finally {
    closeSync(log)
  }
}

function firstLineOf(
  child: ChildProcess,
  signal: AbortSignal,
  isExpected: (line: string) => boolean,
): Promise<string | undefined> {
  const end = (): void => void child.kill()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return new Promise<string | undefined>((resolve, reject) => {
    let printed = ''
    const hear = (text: string): void => {
      printed += text
      const lineEnd = printed.indexOf('\n')
      if (lineEnd === -1) return
      child.stdout?.off('data', hear).resume()
      const line = printed.slice(0, lineEnd)
      if (isExpected(line)) resolve(line)
      else end()
    }
    child.stdout?.setEncoding('utf8').on('data', hear)
    child.on('error', reject)
    child.on('close', () => resolve(undefined))
  }).finally(() => {
    signal.removeEventListener('abort', end)
    // From here on nothing of it keeps this process.
    child.stdout?.destroy()
    child.unref()
  })
}
