import { readFileSync } from 'node:fs'

/**
 * The only person whom an `allowed_signers` file lists with the public key of `keyFile`; undefined if that isn't clear. Finds
 * the name without a signature, so that a key on hardware is touched only once.
 */
export function listedPrincipal(signersFile: string, keyFile: string): string | undefined {
  const publicKey = keyIn(textAt(keyFile.endsWith('.pub') ? keyFile : `${keyFile}.pub`))
  if (publicKey === undefined) return undefined
  const listed = textAt(signersFile)
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#') && line.split(/\s+/).includes(publicKey))
    .map((line) => line.trim().split(/\s+/)[0] ?? '')
  const [only, ...others] = new Set(listed)
  return only === undefined || others.length > 0 || !/^[\w@+][\w.@+-]*$/.test(only) ? undefined : only
}

/** The encoded key in `ssh-ed25519 AAAA… comment`. */
const keyIn = (text: string): string | undefined => /^\S+\s+([\w+/]{40,}=*)/.exec(text.trim())?.[1]

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
