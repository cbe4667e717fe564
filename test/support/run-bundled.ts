import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Bundles a few lines of TypeScript and runs them as a process, for what only a process can show: what it reads from its
 * environment at start, and when it ends. Imports are relative to the root of the project.
 *
 *     const ran = await runBundled("import { run } from './src/cli/run.ts'; ..", { PATH })
 */
export async function runBundled(source: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'payctl-test-'))
  const entry = fileURLToPath(new URL('../../bundled-for-a-test.ts', import.meta.url))
  try {
    const bundle = await rolldown({
      input: entry,
      platform: 'node',
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === entry ? id : null),
          load: (id) => (id === entry ? source : null),
        },
      ],
    })
    await bundle.write({
      dir: folder,
      format: 'cjs',
      entryFileNames: 'main.cjs',
      chunkFileNames: '[name].cjs',
    })
    await bundle.close()
    return await run(join(folder, 'main.cjs'), env)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const run = (file: string, env: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [file], { env: { ...env } }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    )
  })
