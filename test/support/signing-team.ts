import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether OpenSSH can make the keys that a test signs with. Tests of signatures are skipped without it. */
export const HAS_SSH_KEYGEN = ['/usr/bin', '/usr/local/bin', '/bin', '/opt/homebrew/bin'].some((folder) =>
  existsSync(join(folder, 'ssh-keygen')),
)

export interface Team {
  /** The `allowed_signers` file that lists everyone. */
  readonly signersFile: string
  /** The private key of a person. */
  readonly keyOf: (name: string) => string
}

/** The keys that were made before, by name: each takes a process. */
const made = new Map<string, { readonly privateKey: string; readonly publicKey: string }>()

function keyFor(name: string) {
  const known = made.get(name)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'pay-keys-'))
  const path = join(folder, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', path])
  const key = {
    privateKey: readFileSync(path, 'utf8'),
    publicKey: readFileSync(`${path}.pub`, 'utf8').trim(),
  }
  rmSync(folder, { recursive: true })
  made.set(name, key)
  return key
}

/** Puts an SSH key for each name into a folder and lists it under `NAME@example.com`. Strangers have other keys under the same names. */
export function makeTeam(folder: string, names: readonly string[], { areStrangers = false } = {}): Team {
  const keyOf = (name: string): string => join(folder, `${name}-key`)
  const lines = names.map((name) => {
    const { privateKey, publicKey } = keyFor(areStrangers ? `stranger ${name}` : name)
    writeFileSync(keyOf(name), privateKey, { mode: 0o600 })
    writeFileSync(`${keyOf(name)}.pub`, `${publicKey}\n`)
    return `${name}@example.com ${publicKey}\n`
  })
  const signersFile = join(folder, 'allowed_signers')
  writeFileSync(signersFile, `# the payments team\n${lines.join('')}`)
  return { signersFile, keyOf }
}
