import { accessSync, constants, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import type { Context } from '../../../cli/command/context.ts'
import { exposureOf } from '../../../client/config/private-file.ts'
import { systemCode } from '../../../files/system-code.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { readProfiles } from '../../../client/config/read-profiles.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { failed, ok, problem, warning } from './check-result.ts'

/** The Node versions that pay is tested on. */
const [OLDEST, NEWEST] = [20, 26]

export function checkNode({ program }: Context): CheckResult {
  const [major = 0] = program.nodeVersion.split('.').map(Number)
  const version = `Node ${program.nodeVersion}`
  return major >= OLDEST && major <= NEWEST
    ? ok('node', version)
    : warning('node', `${version}: pay is not tested with this version`, {
        remedy: `Use Node ${OLDEST} to ${NEWEST}`,
      })
}

/** Checks a private folder: it may be missing, but must be writable and closed to other users. */
export function checkFolder(check: string, path: string, { uid }: Context): CheckResult {
  const stats = statsOf(path)
  if (stats === undefined) return ok(check, `${path}: does not exist yet; pay creates it when needed`)
  if (typeof stats === 'string')
    return problem(check, `${path} cannot be accessed (${stats})`, {
      remedy: 'Make it your own, or use another folder: pay help environment',
    })
  if (!stats.isDirectory())
    return problem(check, `${path} is not a folder`, {
      remedy: 'Move it away, or use another folder: pay help environment',
    })
  const remedy = { next: [`chmod 700 ${shellWord(path)}`] }
  const exposure = exposureOf(stats, { uid })
  if (exposure === 'owned-by-another')
    return problem(check, `${path} belongs to another user`, {
      next: [`chown "$(id -u)" ${shellWord(path)}`],
    })
  if (!isWritable(path)) return problem(check, `${path} cannot be written to`, remedy)
  const mode = `0${(stats.mode & 0o777).toString(8)}`
  return exposure === 'none'
    ? ok(check, path)
    : warning(check, `${path} is open to other users (${mode})`, remedy)
}

/** Checks that the profiles can be read. Never shows their keys. */
export function checkProfiles({ configFolder, uid }: Context): CheckResult {
  const check = 'profiles'
  try {
    const { profiles, warnings, path } = readProfiles(configFolder, { uid })
    const [firstWarning] = warnings
    if (firstWarning !== undefined) return warning(check, firstWarning)
    return ok(check, profiles.size === 0 ? 'none stored' : `${profiles.size} in ${path}`)
  } catch (error) {
    return failed(check, error)
  }
}

function statsOf(path: string): Stats | string | undefined {
  try {
    return statSync(path)
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOENT' ? undefined : (code ?? 'unknown reason')
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
