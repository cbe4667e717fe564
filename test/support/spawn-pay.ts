import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { splitWords } from './run-pay.ts'

/** The entry of the program. It has to be built: `npm run build`. */
export const PAY = fileURLToPath(new URL('../../bin/pay.cjs', import.meta.url))

export interface Ended {
  /** null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface SpawnOptions {
  /** Over the clean environment; undefined takes a variable out of it. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** All of stdin; nothing when left out. */
  readonly stdin?: string | Uint8Array
  readonly cwd?: string
  /** stdin is never ended. */
  readonly keepsStdinOpen?: boolean
}

/** A program that is running, for tests of pipes and signals. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves when the words have been printed on either stream. */
  readonly says: (words: string) => Promise<void>
  /** What stdout has so far. */
  readonly printed: () => string
}

/** Folders of its own, and the built program run in them. */
export interface SpawnBench {
  readonly folder: string
  readonly configFolder: string
  readonly stateFolder: string
  /** What the program is started with: nothing of the environment of the tests but PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly pay: (words: string | readonly string[], options?: SpawnOptions) => Promise<Ended>
  readonly start: (words: string | readonly string[], options?: SpawnOptions) => Running
  /** A line for `sh`, in which `pay` is the program. */
  readonly shell: (line: string, options?: SpawnOptions) => Promise<Ended>
  readonly dispose: () => void
}

export function createSpawnBench(): SpawnBench {
  if (!existsSync(fileURLToPath(new URL('../../dist/main.cjs', import.meta.url))))
    throw new Error('the program is not built: npm run build')
  const folder = mkdtempSync(join(tmpdir(), 'pay-spawn-'))
  const [configFolder, stateFolder] = [join(folder, 'config'), join(folder, 'state')]
  for (const path of [configFolder, stateFolder]) mkdirSync(path, { mode: 0o700 })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    PAY_CONFIG_DIR: configFolder,
    PAY_STATE_DIR: stateFolder,
  }
  const run = (file: string, args: readonly string[], options: SpawnOptions): Running => {
    const child = spawn(file, [...args], {
      cwd: options.cwd ?? folder,
      env: { ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const running = watch(child)
    // A program that does not read its stdin is no fault of the one who wrote to it.
    child.stdin?.on('error', () => {})
    if (options.keepsStdinOpen !== true) child.stdin?.end(options.stdin ?? '')
    return running
  }
  const start = (words: string | readonly string[], options: SpawnOptions = {}): Running =>
    run(process.execPath, [PAY, ...(typeof words === 'string' ? splitWords(words) : words)], options)
  return {
    folder,
    configFolder,
    stateFolder,
    env,
    start,
    pay: (words, options) => start(words, options).ended,
    shell: (line, options = {}) =>
      run('sh', ['-c', `pay() { "${process.execPath}" "${PAY}" "$@"; }\n${line}`], options).ended,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function watch(child: ChildProcess): Running {
  const kept = { stdout: '', stderr: '' }
  let isOver = false
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      kept[name] += text
      for (const look of waiting) look()
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) => {
      isOver = true
      for (const look of waiting) look()
      resolve({ exitCode, signal, ...kept })
    })
  })
  return {
    child,
    ended,
    kill: (signal) => {
      child.kill(signal)
    },
    printed: () => kept.stdout,
    says: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const isSaid = `${kept.stdout}\n${kept.stderr}`.includes(words)
          if (!isSaid && !isOver) return
          waiting.delete(look)
          if (isSaid) resolve()
          else reject(new Error(`it ended without saying "${words}": ${kept.stdout}${kept.stderr}`))
        }
        waiting.add(look)
        look()
      }),
  }
}
