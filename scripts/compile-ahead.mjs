import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WARM_UP = fileURLToPath(new URL('warm-up.mjs', import.meta.url))

/** For the very Node that is running, in the folder with the bundle. bin/pay.cjs looks for that name. */
export const compiledFile = (dist) =>
  join(dist, 'code-cache', `${process.version}-${process.platform}-${process.arch}.bin`)

/**
 * Stores what V8 makes of the program when a payment is created, captured, refunded and read, so that a call need not wait
 * for it (docs/decisions/0017): the digest of the program and the code, then the code.
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
