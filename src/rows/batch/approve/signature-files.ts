import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { usingFile } from '../../file-errors.ts'
import { replaceFile } from '../../../files/replace-file.ts'
import { UsageError } from '../../../errors.ts'
import { principalsOf, sign, verify } from './ssh-keygen.ts'
import type { Signer } from './ssh-keygen.ts'

/** The exact text that planners and approvers sign. `digest` is the plan's, in hexadecimal. */
export const signedText = (digest: string): string => `sha256:${digest}\n`

export interface SignOptions {
  readonly planFile: string
  readonly digest: string
  readonly keyFile: string
  /** The person who signs; undefined for the only one of `signersFile` who has this key. */
  readonly principal: string | undefined
  /** The team's `allowed_signers`; undefined if the profile names none. */
  readonly signersFile: string | undefined
}

/** A written signature. `key` is undefined if nothing could be checked without an `allowed_signers` file. */
export interface SignedPlan {
  readonly principal: string
  readonly key: string | undefined
  readonly signatureFile: string
}

/**
 * Signs a plan's digest and writes `PLAN.sig.PRINCIPAL`. Writes nothing that the team would not accept.
 * @throws {UsageError} `signing_failed`, `unknown_signer` or `missing_input`
 */
export async function signPlan({
  planFile,
  digest,
  keyFile,
  principal: given,
  signersFile,
}: SignOptions): Promise<SignedPlan> {
  const text = signedText(digest)
  const signature = await sign(keyFile, text)
  const folder = usingFile(`The temporary folder ${tmpdir()}`, 'written', () =>
    mkdtempSync(join(tmpdir(), 'pay-signature-')),
  )
  try {
    const draft = join(folder, 'signature')
    writeFileSync(draft, signature, { mode: 0o600 })
    const principal = given ?? (await onlyPrincipal(signersFile, draft, keyFile))
    checkPrincipal(principal)
    const key =
      signersFile === undefined ? undefined : await checkSigner(signersFile, draft, { principal, text })
    const signatureFile = signatureFileOf(planFile, principal)
    // The same person may sign in another process at this moment.
    const next = join(dirname(planFile), `.${basename(folder)}`)
    usingFile(signatureFile, 'written', () => replaceFile(signatureFile, signature, { mode: 0o666, next }))
    return { principal, key, signatureFile }
  } finally {
    // Windows removes no file that is open, such as for a virus scanner.
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function checkSigner(
  signersFile: string,
  signatureFile: string,
  { principal, text }: { readonly principal: string; readonly text: string },
): Promise<string> {
  const checked = await verify({ signersFile, signatureFile, principal }, text)
  if ('key' in checked) return checked.key
  throw new UsageError(`${signersFile} does not accept this key for ${principal}: ${checked.problem}`, {
    code: 'unknown_signer',
    outcome: 'none',
    hint: `Use the key that ${signersFile} lists for ${principal}, or name another --principal.`,
  })
}

async function onlyPrincipal(
  signersFile: string | undefined,
  signatureFile: string,
  keyFile: string,
): Promise<string> {
  const listed = signersFile === undefined ? undefined : await principalsOf(signersFile, signatureFile)
  if (listed !== undefined && PRINCIPAL.test(listed)) return listed
  const why =
    signersFile === undefined
      ? 'Missing: --principal, because the profile names no file of allowed signers'
      : listed === undefined
        ? `${signersFile} does not list the key ${keyFile}`
        : `${signersFile} lists the key ${keyFile} for ${listed}: name one person with --principal`
  throw new UsageError(why, {
    code: signersFile !== undefined && listed === undefined ? 'unknown_signer' : 'missing_input',
    outcome: 'none',
    hint:
      signersFile !== undefined && listed === undefined
        ? 'Ask the team to add a line with your name and your public key, or use the key that it lists.'
        : "The principal is your name in the team's file of allowed signers, such as anna@example.com.",
  })
}

/** The form of a principal, which is part of a file name. */
const PRINCIPAL = /^[\w@+][\w.@+-]{0,99}$/

/** @throws {UsageError} `bad_value` */
export function checkPrincipal(principal: string): void {
  if (PRINCIPAL.test(principal)) return
  throw new UsageError(`The principal "${principal}" cannot be part of a file name`, {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Use letters, digits and . @ + - _, as in anna@example.com.',
  })
}

/** The signature of a person on a plan: `PLAN.sig.PRINCIPAL`. */
export const signatureFileOf = (planFile: string, principal: string): string => `${planFile}.sig.${principal}`

const prefixOf = (planFile: string): string => basename(signatureFileOf(planFile, ''))

/** The names of the files next to the plan that are called like its signatures. */
export const signatureFilesOf = (planFile: string): readonly string[] =>
  readdirSync(dirname(planFile))
    .filter(
      (name) => name.startsWith(prefixOf(planFile)) && PRINCIPAL.test(name.slice(prefixOf(planFile).length)),
    )
    .toSorted()

/** The signers of the plan according to the team's file, and every signature next to the plan that doesn't count. */
export async function signaturesOn(
  planFile: string,
  digest: string,
  signersFile: string,
): Promise<{
  readonly signers: readonly Signer[]
  readonly refused: readonly { readonly file: string; readonly problem: string }[]
}> {
  const signers: Signer[] = []
  const refused: { file: string; problem: string }[] = []
  for (const name of signatureFilesOf(planFile)) {
    const signatureFile = join(dirname(planFile), name)
    const principal = name.slice(prefixOf(planFile).length)
    // ssh-keygen would wait for a pipe.
    const checked = lstatSync(signatureFile, { throwIfNoEntry: false })?.isFile()
      ? await verify({ signersFile, signatureFile, principal }, signedText(digest))
      : { problem: 'it is not a regular file' }
    if ('key' in checked) signers.push(checked)
    else refused.push({ file: name, problem: checked.problem })
  }
  return { signers, refused }
}
