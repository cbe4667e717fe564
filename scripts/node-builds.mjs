// Node for another platform or of another version, from npm's packages node-PLATFORM. Each is fetched once, into the user's
// cache folder: node scripts/node-builds.mjs fetches those of the tests.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Those of the tests: Windows' own under Wine, and the oldest and newest of each major version. */
export const TESTED = {
  'win-x64': ['20.20.2', '22.23.3'],
  'linux-x64': ['20.19.0', '22.23.3', '24.21.0', '26.12.1'],
}

const cacheFolder = () => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'payctl', 'node')

/** Where a build of Node is, or will be: the folder of npm's package. */
export const nodeFolder = (platform, version) => join(cacheFolder(), `${platform}-${version}`)

/** The program in it. */
export const nodeProgram = (platform, version) =>
  join(nodeFolder(platform, version), 'bin', platform.startsWith('win') ? 'node.exe' : 'node')

/** Fetches a build of Node, unless it is there. npm checks the package against the registry's digest, and runs nothing of it. */
export function fetchNode(platform, version) {
  const folder = nodeFolder(platform, version)
  if (existsSync(folder)) return folder
  mkdirSync(cacheFolder(), { recursive: true })
  const scratch = mkdtempSync(`${folder}.`)
  try {
    const name = `node-${platform}`
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', scratch], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    execFileSync('tar', [
      '-xzf',
      join(scratch, `${name}-${version}.tgz`),
      '-C',
      scratch,
      '--exclude=*/include/*',
    ])
    renameSync(join(scratch, 'package'), folder)
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return folder
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [platform, versions] of Object.entries(TESTED))
    for (const version of versions) console.log(fetchNode(platform, version))
