import { spawn } from 'node:child_process'
import { programPath } from '../../../files/program-path.ts'
import { UsageError } from '../../../errors.ts'
import { systemCode } from '../../../files/system-code.ts'

/** Signatures by OpenSSH's `ssh-keygen -Y` (8.2 or newer), which reads keys, asks agents and touches hardware keys itself. */

/** The purpose in each signature. Those for anything other than a batch plan are not accepted. */
export const NAMESPACE = 'pay-batch'

/** The person that a signature proves. */
export interface Signer {
  /** The name of a person in the team's `allowed_signers`. */
  readonly principal: string
  /** The fingerprint of the public key, `SHA256:…`. */
  readonly key: string
}

/**
 * Signs `message` with a private key, or with the agent's key for a public one, and returns the armored signature.
 * OpenSSH asks for a passphrase or a touch on the terminal itself.
 * @throws {UsageError} `signing_failed`
 */
export async function sign(keyFile: string, message: string): Promise<string> {
  const { code, stdout, stderr } = await run(['-Y', 'sign', '-n', NAMESPACE, '-f', keyFile], message)
  if (code === 0 && stdout.includes('BEGIN SSH SIGNATURE')) return stdout
  throw new UsageError(`${keyFile} could not sign: ${reasonIn(stderr)}`, {
    code: 'signing_failed',
    outcome: 'none',
    hint: 'Give a private key, or the public key of one that your SSH agent holds. ssh-add -l lists those.',
  })
}

/** The principals that `signersFile` lists for the key of the signature: names or a pattern; undefined if it lists none. */
export async function principalsOf(signersFile: string, signatureFile: string): Promise<string | undefined> {
  const { code, stdout } = await run(['-Y', 'find-principals', '-f', signersFile, '-s', signatureFile], '')
  const listed = stdout.split('\n').filter((line) => line !== '')
  return code === 0 && listed.length > 0 ? listed.join(' and ') : undefined
}

/** Verifies who signed `message`; returns the signer, or why the signature doesn't count. */
export async function verify(
  {
    signersFile,
    signatureFile,
    principal,
  }: Readonly<Record<'signersFile' | 'signatureFile' | 'principal', string>>,
  message: string,
): Promise<Signer | { readonly problem: string }> {
  const { code, stdout, stderr } = await run(
    ['-Y', 'verify', '-n', NAMESPACE, '-f', signersFile, '-I', principal, '-s', signatureFile],
    message,
  )
  const key = / key (SHA256:\S+)/.exec(stdout)?.[1]
  if (code === 0 && key !== undefined) return { principal, key }
  return { problem: reasonIn(`${stderr}\n${stdout}`) }
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[], input: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(programPath('ssh-keygen'), args, { stdio: 'pipe', windowsHide: true })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // A child that ends early closes its stdin; its exit code says why.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', (error) => reject(missingProgram(error)))
    child.on('close', (code) => {
      if (stderr.startsWith('No user exists')) reject(unknownUser(reasonIn(stderr)))
      else resolve({ code, stdout, stderr })
    })
  })
}

/** The error for a user without a name, for whom every signature would seem to be a bad one. */
const unknownUser = (why: string): UsageError =>
  new UsageError(`ssh-keygen does not run: ${why}`, {
    code: 'no_ssh_keygen',
    outcome: 'none',
    hint: 'OpenSSH works only for a user whom the system knows: add one to /etc/passwd, or run pay as another user.',
  })

const missingProgram = (cause: Error): UsageError =>
  new UsageError(
    systemCode(cause) === 'ENOENT'
      ? 'ssh-keygen is not installed'
      : `ssh-keygen did not start: ${cause.message}`,
    {
      code: 'no_ssh_keygen',
      outcome: 'none',
      hint: 'Install OpenSSH 8.2 or newer: signatures are made and checked by ssh-keygen.',
      cause,
    },
  )

/** The reason that OpenSSH prints: its last line is the most specific. */
const reasonIn = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Signing data on standard input$/.test(line))
    .at(-1)
    ?.replace(/\.$/, '') ?? 'ssh-keygen gave no reason'
