import { posix, win32 } from 'node:path'

/** The facts of this machine that decide where folders are. `platform` is that of `process.platform`. */
export interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly home: string
  readonly cwd: string
}

/** The folder of the profiles: `PAY_CONFIG_DIR`, or the platform's settings folder. */
export function configFolder(platform: Platform): string {
  return chosenFolder(platform, 'PAY_CONFIG_DIR') ?? platformFolders(platform).config
}

/** The folder of the ledger, import checkpoints and sandbox: `PAY_STATE_DIR`, or the platform's state folder. */
export function stateFolder(platform: Platform): string {
  return chosenFolder(platform, 'PAY_STATE_DIR') ?? platformFolders(platform).state
}

function chosenFolder({ env, platform, home, cwd }: Platform, name: string): string | undefined {
  const chosen = env[name]
  if (chosen === undefined || chosen === '') return undefined
  const path = pathOf(platform)
  // Env files don't expand `~`, and someone will `rm -r` a folder named `~`.
  if (/^~[/\\]/.test(chosen) || chosen === '~') return path.resolve(home, chosen.slice(2))
  return path.resolve(cwd, chosen)
}

function platformFolders({ env, platform, home }: Platform): {
  readonly config: string
  readonly state: string
} {
  const path = pathOf(platform)
  /** Ignores relative values, as the XDG Base Directory Specification requires. */
  const from = (name: string, ...fallback: readonly string[]): string => {
    const folder = env[name]
    return folder !== undefined && path.isAbsolute(folder) ? folder : path.join(home, ...fallback)
  }
  if (platform === 'win32') {
    return {
      config: path.join(from('APPDATA', 'AppData', 'Roaming'), 'payctl', 'Config'),
      state: path.join(from('LOCALAPPDATA', 'AppData', 'Local'), 'payctl', 'State'),
    }
  }
  if (platform === 'darwin') {
    return {
      config: path.join(home, 'Library', 'Preferences', 'payctl'),
      state: path.join(home, 'Library', 'Application Support', 'payctl'),
    }
  }
  return {
    config: path.join(from('XDG_CONFIG_HOME', '.config'), 'payctl'),
    state: path.join(from('XDG_STATE_HOME', '.local', 'state'), 'payctl'),
  }
}

const pathOf = (platform: string) => (platform === 'win32' ? win32 : posix)
