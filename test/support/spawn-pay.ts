import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { splitWords } from './run-pay.ts'
import { removeFolder } from './remove-folder.ts'

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The program's entry point. It runs what `npm run build` made. */
export const PAY = fileURLToPath(new URL('../../bin/pay.cjs', import.meta.url))

export interface Ended {
  /** The exit code; null if a signal ended the process. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface SpawnOptions {
  /** Variables to add to the clean environment; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Everything on stdin. By default stdin is empty. */
  readonly stdin?: string | Uint8Array
  readonly cwd?: string
  /** Leaves stdin open, as a terminal does. */
  readonly keepsStdinOpen?: boolean
}

/** A running program, for tests of pipes and signals. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves as soon as either stream has printed this text; rejects if the program ends without it. */
  readonly says: (words: string) => Promise<void>
  /** Everything on stdout so far. */
  readonly printed: () => string
}

/** Runs the built program in separate folders. */
export interface SpawnBench {
  readonly folder: string
  readonly configFolder: string
  readonly stateFolder: string
  /** The program's environment. Of the tests' own environment it has only PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly pay: (words: string | readonly string[], options?: SpawnOptions) => Promise<Ended>
  readonly start: (words: string | readonly string[], options?: SpawnOptions) => Running
  /** Runs a line in `sh`, where `pay` is the program. */
  readonly shell: (line: string, options?: SpawnOptions) => Promise<Ended>
  readonly dispose: () => void
}

/**
 * Spawns the built program, for what only a process can show: exit codes, pipes, signals, real files.
 * Everything else is tested faster in process, with `createBench` of run-pay.ts.
 *
 *     const bench = createSpawnBench()
 *     const ended = await bench.pay('payment list --sandbox --json')
 *     expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
 *     bench.dispose()
 */
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
    // A program may end without reading its stdin; writing to it then fails.
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
    dispose: () => removeFolder(folder),
  }
}

export interface PathBench extends SpawnBench {
  /** The clean environment with `pay` on its PATH. */
  readonly env: Readonly<Record<string, string>>
}

/** A bench whose PATH has `pay`, so that scripts and other programs find it. */
export function createPathBench(): PathBench {
  const bench = createSpawnBench()
  const bin = join(bench.folder, 'bin')
  mkdirSync(bin)
  symlinkSync(PAY, join(bin, 'pay'))
  // `#!/usr/bin/env node` must find the node that runs the tests, so its folder comes first.
  const path = [bin, join(process.execPath, '..'), bench.env['PATH'] ?? ''].join(':')
  return { ...bench, env: { ...bench.env, PATH: path } }
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
