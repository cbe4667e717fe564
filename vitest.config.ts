import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { SkippedTests } from './test/support/skipped-tests.ts'

/** Tests that start processes and browsers and wait for them, and the slowest others. */
const TAKES_LONG =
  /\/test\/(?:imports|terminal|crashes|durability|histories|simulation|examples|contract|ledger\/team)\/|\/commands\/(?:examples|desk)\b|\/journey\./

const takesLong = ({ moduleId }: TestSpecification) => TAKES_LONG.test(moduleId)

/** Runs slow files first, so that no core is idle at the end, even in a fresh clone without measured durations. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => Number(takesLong(other)) - Number(takesLong(one)))
  }
}

/** As the bundler reads them. */
const yamlAsText = {
  name: 'yaml-as-text',
  transform: (text: string, id: string) =>
    id.endsWith('.yaml') ? { code: `export default ${JSON.stringify(text)}` } : undefined,
}

/**
 * A file system in memory, if there is one with room for everything, where programs may run: tests write thousands of small
 * files and sync them, which would take a third of the time on a disk.
 */
function fastFolder(): string {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : []
  const [, path, , options] = mounts.find((line) => line.includes(' /dev/shm tmpfs '))?.split(' ') ?? []
  if (path === undefined || /\bnoexec\b/.test(options ?? '')) return tmpdir()
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize > 1024 ** 3 ? path : tmpdir()
}

export default defineConfig({
  plugins: [yamlAsText],
  test: {
    // A busy machine can take ten times as long; that alone isn't a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Vitest would keep one core for itself, which is half of two, and some files mostly wait.
    maxWorkers: availableParallelism() + 1,
    // Files share modules, and must restore what they change: loading modules for each file would take a third of the time.
    isolate: false,
    sequence: { sequencer: LongFirst },
    reporters: ['default', new SkippedTests()],
    env: {
      NODE_EXTRA_CA_CERTS: '',
      // For npm, whose registry may have a certificate of this machine's own.
      REGISTRY_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
      TMPDIR: fastFolder(),
    },
    include: ['test/**/*.test.ts'],
    exclude: ['**/*.deep.test.ts'],
  },
})
