import { accessSync, constants, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import type { Context } from '../../cli/context.ts'
import { exposureOf } from '../../config/private-file.ts'
import { systemCode } from '../../system-code.ts'
import { shellWord } from '../../shell-word.ts'
import { readProfiles } from '../../config/read.ts'
import { PayError } from '../../errors.ts'
import type { Finding } from '../../views/doctor.ts'

/** Those that it is tested on. */
const [OLDEST, NEWEST] = [20, 26]

export function nodeFinding({ program }: Context): Finding {
  const [major = 0] = program.nodeVersion.split('.').map(Number)
  const says = `Node ${program.nodeVersion}`
  return major >= OLDEST && major <= NEWEST
    ? { check: 'node', status: 'ok', says }
    : {
        check: 'node',
        status: 'warning',
        says: `${says}: not tested with it`,
        remedy: `Use Node ${OLDEST} to ${NEWEST}`,
      }
}

/** A folder of one's own: there or not yet, writable, and closed to others. */
export function folderFinding(check: string, path: string, { uid }: Context): Finding {
  const stats = statsOf(path)
  if (stats === undefined)
    return { check, status: 'ok', says: `${path}: not there yet; made when it is needed` }
  if (typeof stats === 'string')
    return {
      check,
      status: 'problem',
      says: `${path} cannot be looked at (${stats})`,
      remedy: 'Make it your own, or name another folder: pay help environment',
    }
  if (!stats.isDirectory())
    return {
      check,
      status: 'problem',
      says: `${path} is no folder`,
      remedy: 'Move it away, or name another folder: pay help environment',
    }
  const mode = `0${(stats.mode & 0o777).toString(8)}`
  const exposure = exposureOf(stats, { uid })
  if (exposure === 'owned-by-another')
    return {
      check,
      status: 'problem',
      says: `${path} belongs to another user`,
      next: [`chown "$(id -u)" ${shellWord(path)}`],
    }
  if (!isWritable(path))
    return {
      check,
      status: 'problem',
      says: `${path} cannot be written to`,
      next: [`chmod 700 ${shellWord(path)}`],
    }
  if (exposure !== 'none')
    return {
      check,
      status: 'warning',
      says: `${path} is open to other users (${mode})`,
      next: [`chmod 700 ${shellWord(path)}`],
    }
  return { check, status: 'ok', says: path }
}

/** The file of the profiles. Its keys are never looked at. */
export function profilesFinding({ configFolder, uid }: Context): Finding {
  const check = 'profiles'
  try {
    const { profiles, warnings, path } = readProfiles(configFolder, { uid })
    const [warning] = warnings
    if (warning !== undefined) return { check, status: 'warning', says: warning }
    return {
      check,
      status: 'ok',
      says: profiles.size === 0 ? 'none are stored' : `${profiles.size} in ${path}`,
    }
  } catch (error) {
    return failed(check, error)
  }
}

/** What went wrong, with the remedy that the error itself names. */
export function failed(check: string, error: unknown): Finding {
  if (!(error instanceof PayError)) throw error
  const { hint, next } = error.details
  return { check, status: 'problem', says: error.message, remedy: hint, next }
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
