import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
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

/** Makes an SSH key for each name and lists it under `NAME@example.com`. */
export function makeTeam(folder: string, names: readonly string[]): Team {
  const keyOf = (name: string): string => join(folder, `${name}-key`)
  const lines = names.map((name) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', keyOf(name)])
    const publicKey = execFileSync('ssh-keygen', ['-y', '-f', keyOf(name)], { encoding: 'utf8' }).trim()
    return `${name}@example.com ${publicKey}\n`
  })
  const signersFile = join(folder, 'allowed_signers')
  writeFileSync(signersFile, `# the payments team\n${lines.join('')}`)
  return { signersFile, keyOf }
}
