import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inputOptions } from './rolldown.config.mjs'

const ENTRY = 'library'

/**
 * Bundles `payctl/sandbox` into `folder`, and returns what rolldown made, for the list of licences. A bundle of its own, because
 * loading a chunk of the program would run it.
 */
export async function buildLibrary(rolldown, folder) {
  const bundle = await rolldown({ ...inputOptions, input: { sandbox: `src/sandbox/${ENTRY}.ts` } })
  const { output } = await bundle.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    codeSplitting: false,
    // Test runners replace the global timers, and the sandbox would stand still.
    intro:
      "const { setImmediate, setTimeout, clearTimeout, setInterval, clearInterval } = require('node:timers'), { queueMicrotask } = globalThis;",
    comments: { legal: false, annotation: false, jsdoc: false },
  })
  await bundle.close()
  writeFileSync(join(folder, 'sandbox.mjs'), "export { startSandbox } from './sandbox.cjs'\n")
  writeTypes(folder)
  return output
}

/** The entry declares every type that it exports, so the compiler need not look at what it imports. */
function writeTypes(folder) {
  const options =
    '--declaration --emitDeclarationOnly --noCheck --noResolve --target es2023 --module nodenext'
  const tsc = join(inputOptions.cwd, 'node_modules/typescript/bin/tsc')
  execFileSync(
    process.execPath,
    [tsc, '--ignoreConfig', ...options.split(' '), '--outDir', folder, `src/sandbox/${ENTRY}.ts`],
    { cwd: inputOptions.cwd, stdio: 'inherit' },
  )
  const made = join(folder, `${ENTRY}.d.ts`)
  for (const kind of ['mts', 'cts']) copyFileSync(made, join(folder, `sandbox.d.${kind}`))
  rmSync(made)
}
