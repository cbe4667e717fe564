// Lists direct dependencies with newer releases, and which releases pass the rules of docs/maintaining.md. Usage: npm run outdated
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import semver from 'semver'

const MIN_AGE_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

const { dependencies, devDependencies, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const oldestNode = semver.minVersion(engines.node)?.version ?? '0.0.0'

const rows = await Promise.all(
  Object.entries({ ...dependencies, ...devDependencies }).map(async ([name, pinned]) => {
    const { time } = await view(name, 'name', 'time')
    const newer = Object.keys(time)
      .filter((version) => semver.valid(version) !== null)
      .toSorted(semver.compare)
      .filter((version) => semver.gt(version, pinned) && !semver.prerelease(version))
      .toReversed()
    const reasons = []
    for (const version of newer) {
      const reason = await objectionTo(name, version, time[version])
      if (reason === undefined) return { name, pinned, take: version, reasons }
      reasons.push(`${version} ${reason}`)
      // Older releases usually fail for the same reason.
      if (reasons.length === 5) break
    }
    return { name, pinned, take: undefined, reasons }
  }),
)

for (const { name, pinned, take, reasons } of rows) {
  if (take === undefined && reasons.length === 0) continue
  console.log(`${name} ${pinned}${take === undefined ? '' : ` -> ${take}`}`)
  for (const reason of reasons) console.log(`    not ${reason}`)
}

/** Why a release breaks the rules; undefined if it doesn't. */
async function objectionTo(name, version, published) {
  const ageDays = (Date.now() - Date.parse(published)) / DAY_MS
  if (ageDays < MIN_AGE_DAYS) return `is ${Math.floor(ageDays)} days old`
  const facts = await view(`${name}@${version}`, 'engines', 'scripts', 'deprecated')
  if (facts.deprecated !== undefined) return 'is deprecated'
  const node = facts.engines?.node
  if (node !== undefined && !semver.satisfies(oldestNode, node)) return `needs Node ${node}`
  const script = ['preinstall', 'install', 'postinstall'].find((each) => facts.scripts?.[each] !== undefined)
  return script === undefined ? undefined : `has a ${script} script`
}

async function view(spec, ...fields) {
  const { stdout } = await promisify(execFile)('npm', ['view', spec, '--json', ...fields], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout || '{}')
}
