import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WARM_UP = fileURLToPath(new URL('warm-up.mjs', import.meta.url))

/** The code cache for the running version of Node. bin/pay.cjs looks for the same name. */
export const compiledFile = (dist) =>
  join(dist, 'code-cache', `${process.version}-${process.platform}-${process.arch}.bin`)

/**
 * Stores what V8 compiles while the program reads, captures and refunds a payment, so that later calls start faster
 * (docs/decisions/0017). The file starts with a SHA-256 of the program and the code, then the code.
 */
export function compileAhead(dist) {
  const file = compiledFile(dist)
  const scratch = mkdtempSync(join(tmpdir(), 'payctl-build-'))
  try {
    const made = join(scratch, 'code.bin')
    execFileSync(process.execPath, [WARM_UP, join(dist, 'main.cjs'), made, scratch], {
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const code = readFileSync(made)
    const digest = createHash('sha256')
      .update(readFileSync(join(dist, 'main.cjs')))
      .update(code)
      .digest()
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, Buffer.concat([digest, code]))
    renameSync(`${file}.${process.pid}`, file)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
