import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import type { Program, Pager } from '../command/context.ts'

/**
 * Opens an address in the user's browser, without waiting for it. Rejects if no program can be started.
 * The address appears on a command line, so it must not hold a secret.
 */
export async function openUrl(url: string): Promise<void> {
  const { default: open } = await import('open')
  await open(url)
}

/** What a shell reports if it can't find or start a program. cmd.exe reports a failure like any other. */
const isNotStarted = (code: unknown, platform: string): boolean =>
  platform === 'win32' ? code !== 0 : code === 126 || code === 127

/**
 * Shows a text in the user's pager, and resolves when it is closed. False if it can't be started: then nothing was shown.
 * Leaving it early is not an error, and Ctrl-C is for the pager.
 */
export async function page(text: string, { command, env }: Pager, platform: string): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { ...env } })
  // A pager that is left before the end closes its input.
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  try {
    const [code]: unknown[] = await once(child, 'close')
    return !isNotStarted(code, platform)
  } catch {
    return false
  }
}

interface Executable {
  readonly file: string
  /** The Node options and the entry file. */
  readonly args: readonly string[]
}

/** The `respawn` of a real Context: see {@link Program}. Inherits environment and working folder. */
export async function respawn(
  { file, args }: Executable,
  extraArgs: readonly string[],
  { logFile, signal, isExpected }: Parameters<Program['respawn']>[1],
): Promise<string | undefined> {
  const log = openSync(logFile, 'a', 0o600)
  try {
    // Detached: Ctrl-C and closing the terminal must not end it.
    const child = spawn(file, [...args, ...extraArgs], {
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
    const onText = (text: string): void => {
      printed += text
      const lineEnd = printed.indexOf('\n')
      if (lineEnd === -1) return
      child.stdout?.off('data', onText).resume()
      const line = printed.slice(0, lineEnd)
      if (isExpected(line)) resolve(line)
      else end()
    }
    child.stdout?.setEncoding('utf8').on('data', onText)
    child.on('error', reject)
    child.on('close', () => resolve(undefined))
  }).finally(() => {
    signal.removeEventListener('abort', end)
    // Let this process end before the child.
    child.stdout?.destroy()
    child.unref()
  })
}

/** The `keepHeapSmall` of a real Context: see {@link Program}. */
export function keepHeapSmall({ isFast }: { readonly isFast: boolean }): void {
  // The space of new objects would grow to 48 MB, and that of old ones to several times what they need.
  const flags = isFast
    ? ['--heap-growing-percent=100']
    : ['--semi-space-growth-factor=1', '--heap-growing-percent=20']
  for (const flag of flags) setFlagsFromString(flag)
}
