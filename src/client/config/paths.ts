import { posix, win32 } from 'node:path'
import { UsageError } from '../../errors.ts'

/** The facts of this machine that decide where folders are. `platform` is that of `process.platform`. */
export interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  /** Undefined if the system knows none. */
  readonly home: string | undefined
  readonly cwd: string
}

/**
 * The folder of the profiles: `PAY_CONFIG_DIR`, or the platform's settings folder.
 * @throws {UsageError} `no_home` if it would be in a home that isn't there
 */
export function configFolder(platform: Platform): string {
  return chosenFolder(platform, 'PAY_CONFIG_DIR') ?? platformFolders(platform).config()
}

/**
 * The folder of the ledger, import checkpoints and sandbox: `PAY_STATE_DIR`, or the platform's state folder.
 * @throws {UsageError} as {@link configFolder}
 */
export function stateFolder(platform: Platform): string {
  return chosenFolder(platform, 'PAY_STATE_DIR') ?? platformFolders(platform).state()
}

function chosenFolder(facts: Platform, name: string): string | undefined {
  const { env, platform, cwd } = facts
  const chosen = env[name]
  if (chosen === undefined || chosen === '') return undefined
  const path = pathOf(platform)
  // Env files don't expand `~`, and someone will `rm -r` a folder named `~`.
  if (/^~[/\\]/.test(chosen) || chosen === '~') return path.resolve(homeOf(facts), chosen.slice(2))
  return path.resolve(cwd, chosen)
}

function platformFolders(facts: Platform): {
  readonly config: () => string
  readonly state: () => string
} {
  const { env, platform } = facts
  const path = pathOf(platform)
  const inHome = (...names: readonly string[]): string => path.join(homeOf(facts), ...names)
  /** Ignores relative values, as the XDG Base Directory Specification requires. */
  const from = (name: string, ...fallback: readonly string[]): string => {
    const folder = env[name]
    return folder !== undefined && path.isAbsolute(folder) ? folder : inHome(...fallback)
  }
  if (platform === 'win32') {
    return {
      config: () => path.join(from('APPDATA', 'AppData', 'Roaming'), 'payctl', 'Config'),
      state: () => path.join(from('LOCALAPPDATA', 'AppData', 'Local'), 'payctl', 'State'),
    }
  }
  if (platform === 'darwin') {
    return {
      config: () => inHome('Library', 'Preferences', 'payctl'),
      state: () => inHome('Library', 'Application Support', 'payctl'),
    }
  }
  return {
    config: () => path.join(from('XDG_CONFIG_HOME', '.config'), 'payctl'),
    state: () => path.join(from('XDG_STATE_HOME', '.local', 'state'), 'payctl'),
  }
}

/** The home folder. A relative one would put keys and ledgers into the current folder. */
function homeOf({ platform, home }: Platform): string {
  if (home !== undefined && pathOf(platform).isAbsolute(home)) return home
  const variable = platform === 'win32' ? 'USERPROFILE' : 'HOME'
  throw new UsageError(
    home === undefined
      ? `You have no home folder: ${variable} is not set, and the system does not know your user`
      : `${variable} is not an absolute path: ${home === '' ? 'it is empty' : home}`,
    {
      code: 'no_home',
      outcome: 'none',
      hint: `Set PAY_CONFIG_DIR and PAY_STATE_DIR, the folders of the profiles and of the ledger, or ${variable}.`,
    },
  )
}

const pathOf = (platform: string) => (platform === 'win32' ? win32 : posix)
