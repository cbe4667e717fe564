import { accessSync, constants, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import type { Context } from '../../../cli/command/context.ts'
import { exposureOf } from '../../../config/private-file.ts'
import { systemCode } from '../../../system-code.ts'
import { shellWord } from '../../../shell-word.ts'
import { readProfiles } from '../../../config/read-profiles.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { failed, ok, problem, warning } from './finding.ts'

/** Those that it is tested on. */
const [OLDEST, NEWEST] = [20, 26]

export function nodeFinding({ program }: Context): CheckResult {
  const [major = 0] = program.nodeVersion.split('.').map(Number)
  const says = `Node ${program.nodeVersion}`
  return major >= OLDEST && major <= NEWEST
    ? ok('node', says)
    : warning('node', `${says}: not tested with it`, { remedy: `Use Node ${OLDEST} to ${NEWEST}` })
}

/** A folder of one's own: there or not yet, writable, and closed to others. */
export function folderFinding(check: string, path: string, { uid }: Context): CheckResult {
  const stats = statsOf(path)
  if (stats === undefined) return ok(check, `${path}: not there yet; made when it is needed`)
  if (typeof stats === 'string')
    return problem(check, `${path} cannot be looked at (${stats})`, {
      remedy: 'Make it your own, or name another folder: pay help environment',
    })
  if (!stats.isDirectory())
    return problem(check, `${path} is no folder`, {
      remedy: 'Move it away, or name another folder: pay help environment',
    })
  const closeIt = { next: [`chmod 700 ${shellWord(path)}`] }
  const exposure = exposureOf(stats, { uid })
  if (exposure === 'owned-by-another')
    return problem(check, `${path} belongs to another user`, {
      next: [`chown "$(id -u)" ${shellWord(path)}`],
    })
  if (!isWritable(path)) return problem(check, `${path} cannot be written to`, closeIt)
  const mode = `0${(stats.mode & 0o777).toString(8)}`
  return exposure === 'none'
    ? ok(check, path)
    : warning(check, `${path} is open to other users (${mode})`, closeIt)
}

/** The file of the profiles. Its keys are never looked at. */
export function profilesFinding({ configFolder, uid }: Context): CheckResult {
  const check = 'profiles'
  try {
    const { profiles, warnings, path } = readProfiles(configFolder, { uid })
    const [odd] = warnings
    if (odd !== undefined) return warning(check, odd)
    return ok(check, profiles.size === 0 ? 'none are stored' : `${profiles.size} in ${path}`)
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
