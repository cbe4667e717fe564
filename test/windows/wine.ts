/** A Windows under Wine, with Windows' own node.exe. This file is the only place that knows what Wine 8 needs. */
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TESTED, nodeProgram } from '../../scripts/node-builds.mjs'
import { inTerminal } from '../support/pseudo-terminal.ts'
import type { TerminalResult, TerminalStep } from '../support/pseudo-terminal.ts'
import { splitWords } from '../support/run-pay.ts'
import type { Ended } from '../support/spawn-pay.ts'

/** The versions of Node whose Windows builds are here: `node scripts/node-builds.mjs` fetches them. */
export const WINDOWS_NODES = TESTED['win-x64'].filter((version) =>
  existsSync(nodeProgram('win-x64', version)),
)

export const HAS_WINDOWS =
  process.platform === 'linux' &&
  WINDOWS_NODES.length > 0 &&
  ['/usr/bin/wine', '/usr/local/bin/wine'].some(existsSync)

export interface WindowsRun {
  readonly ended: Promise<Ended>
  /** As a power cut of the process: it gets no chance to react. */
  readonly kill: () => void
}

interface RunOptions {
  /** Added to the user's own. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

type Words = string | readonly string[]

/** One user of a Windows, with a Node, folders and a working folder of their own. */
export interface WindowsUser {
  /** The folder of work and of the state, as Linux sees them. */
  readonly folder: string
  readonly stateFolder: string
  /** The working folder as Windows sees it. */
  readonly windowsFolder: string
  readonly start: (words: Words, options?: RunOptions) => WindowsRun
  readonly pay: (words: Words, options?: RunOptions) => Promise<Ended>
  /** Runs a line in cmd.exe, where `pay` is the installed program. */
  readonly cmd: (line: string, options?: RunOptions) => Promise<Ended>
  /** Runs it in a console. */
  readonly inConsole: (words: string, steps: readonly TerminalStep[]) => Promise<TerminalResult>
}

export interface Windows {
  readonly drive: string
  /** Installs a package with npm, for everyone. Returns where the program is, as Windows sees it. */
  readonly install: (tarball: string) => Promise<string>
  readonly user: (version: string, program: string) => WindowsUser
  /** Runs a program of Windows. */
  readonly run: (argv: readonly string[], cwd: string, options?: RunOptions) => WindowsRun
  readonly dispose: () => void
}

export function createWindows(): Windows {
  const root = mkdtempSync(join(tmpdir(), 'pay-wine-'))
  const drive = join(root, 'drive_c')
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    WINEPREFIX: root,
    WINEDEBUG: '-all',
    // No Mono and no Gecko, which nobody needs and Wine would ask about.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  }
  // Node needs Windows 10, and Wine 8 is Windows 7 unless told otherwise.
  execFileSync('wine', ['winecfg', '-v', 'win10'], { env: own, stdio: 'ignore' })
  let runs = 0

  const run: Windows['run'] = (argv, cwd, { env = {}, stdin = '' } = {}) => {
    runs += 1
    const path = (name: string) => join(root, `${runs}.${name}`)
    writeFileSync(path('in'), stdin)
    // Files, because Node under Wine 8 doesn't get along with pipes.
    const [out, err] = [path('out'), path('err')]
    const files = [openSync(path('in'), 'r'), openSync(out, 'w'), openSync(err, 'w')]
    const child = spawn('wine', [...argv], { cwd, env: { ...own, ...env }, stdio: files })
    for (const file of files) closeSync(file)
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (exitCode, signal) => {
        const [stdout = '', stderr = ''] = [out, err].map((file) =>
          readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
        )
        resolve({ exitCode, signal, stdout, stderr })
      })
    })
    return { ended, kill: () => child.kill('SIGKILL') }
  }

  async function install(tarball: string): Promise<string> {
    // On Linux first: npm under Wine then needs no network.
    const cache = join(root, 'npm-cache')
    const common = ['--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync(
      'npm',
      ['install', ...common, '--prefix', join(root, 'linux'), '--cache', cache, '--prefer-offline', tarball],
      {
        stdio: 'ignore',
        env: { ...process.env, NODE_EXTRA_CA_CERTS: process.env['REGISTRY_CA_CERTS'] },
      },
    )
    const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())
    const node = nodeProgram('win-x64', WINDOWS_NODES.at(-1) ?? '')
    const ended = await run(
      [node, inWindows(npm), 'install', '-g', ...common, '--offline', '--cache', inWindows(cache)].concat([
        '--prefix',
        String.raw`C:\npm`,
        inWindows(tarball),
      ]),
      drive,
    ).ended
    if (ended.exitCode !== 0) throw new Error(`${ended.stdout}${ended.stderr}`)
    return String.raw`C:\npm\node_modules\payctl\bin\pay.cjs`
  }

  function user(version: string, program: string): WindowsUser {
    const node = nodeProgram('win-x64', version)
    const folderOf = (name: string) => join(drive, `user-${version}`, name)
    const windowsFolder = String.raw`C:\user-${version}\work`
    const [folder, bin] = [folderOf('work'), folderOf('bin')]
    for (const path of [folder, bin]) mkdirSync(path, { recursive: true })
    // npm's own pay.cmd ends at once: Wine's cmd.exe doesn't know `goto LABEL || …`.
    writeFileSync(join(bin, 'pay.cmd'), `@"${inWindows(node)}" "${program}" %*\r\n`)
    const env = {
      WINEPATH: String.raw`C:\user-${version}\bin`,
      PAY_CONFIG_DIR: String.raw`C:\user-${version}\config`,
      PAY_STATE_DIR: String.raw`C:\user-${version}\state`,
    }
    const start: WindowsUser['start'] = (words, options = {}) =>
      run([node, program, ...(typeof words === 'string' ? splitWords(words) : words)], folder, {
        ...options,
        env: { ...env, ...options.env },
      })
    return {
      folder,
      stateFolder: folderOf('state'),
      windowsFolder,
      start,
      pay: (words, options) => start(words, options).ended,
      cmd: async (line, options = {}) => {
        // As a file: Wine would escape the quotes of a line that it passes on. Without `call`, which loses the exit code.
        writeFileSync(join(folder, 'line.cmd'), `@${line}\r\n`)
        const once = () =>
          run(['cmd', '/c', 'line.cmd'], folder, { ...options, env: { ...env, ...options.env } }).ended
        const ended = await once()
        return isNotStarted(ended) ? once() : ended
      },
      inConsole: (words, steps) =>
        // Node asks for the title of its console, and Wine 8 has none unless told.
        inTerminal(`wine '${node}' --title=pay '${program}' ${words}`, {
          cwd: folder,
          env: { ...own, ...env, TERM: 'xterm' },
          steps,
        }),
    }
  }
  return {
    drive,
    install,
    user,
    run,
    dispose: () => {
      execFileSync('wineserver', ['-k', '-w'], { env: own, stdio: 'ignore' })
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/**
 * Whether cmd.exe has run nothing: it says that it doesn't know a program, of which one is on its PATH and the other in a
 * file that it has read. Wine 8's says so whenever CreateProcess fails, which has happened on a busy machine. 9009 is its exit
 * code, of which Linux keeps one byte.
 */
const isNotStarted = ({ exitCode, stdout, stderr }: Ended): boolean =>
  exitCode === (9009 & 0xff) &&
  stdout === '' &&
  /^Can't recognize '(?:pay |"[^"]+\\node\.exe" ).*' as an internal or external command, or batch script\.\n$/.test(
    stderr,
  )

/** A path of Linux as Windows sees it. */
export const inWindows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`
