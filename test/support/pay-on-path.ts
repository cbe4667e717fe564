import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSpawnBench, PAY } from './spawn-pay.ts'
import type { SpawnBench } from './spawn-pay.ts'

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface PathBench extends SpawnBench {
  /** The clean environment of the bench, with `pay` on its PATH. */
  readonly env: Readonly<Record<string, string>>
}

/** A bench in which every program finds `pay` as a user has it: a link in a folder of the PATH. */
export function createPathBench(): PathBench {
  const bench = createSpawnBench()
  const bin = join(bench.folder, 'bin')
  mkdirSync(bin)
  symlinkSync(PAY, join(bin, 'pay'))
  // node itself first: `#!/usr/bin/env node` has to find the one that runs the tests.
  const path = [bin, join(process.execPath, '..'), bench.env['PATH'] ?? ''].join(':')
  return { ...bench, env: { ...bench.env, PATH: path } }
}
