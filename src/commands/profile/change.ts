import { OPERATIONS } from '../../api/table.ts'
import { checkWith } from '../../cli/command/check-with.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag, switchFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { checkBaseUrl } from '../../config/base-url.ts'
import { checkApiVersion } from '../../config/profile.ts'
import type { Limits, Profile } from '../../config/profile.ts'
import type { ProfileFile } from '../../config/read-profiles.ts'
import { checkApiKey, readKeyFile } from '../../config/api-key.ts'
import { updateProfiles } from '../../config/update-profiles.ts'
import { UsageError, interruptedBy } from '../../errors.ts'
import { parseAmount } from '../../money/parse.ts'
import { didYouMean } from '../../suggest.ts'
import type { ShownProfile } from '../../views/profile.ts'
import { shownKey } from '../../views/format-fields.ts'

/** What the flags say of a profile; a field that is not there is not spoken of. */
export interface ProfileChange {
  readonly baseUrl?: string
  readonly mode?: 'test' | 'live'
  readonly apiKey?: string
  readonly apiVersion?: string
  readonly limits: Partial<Limits>
}

export async function readChange(invocation: Invocation, input: CommandInput): Promise<ProfileChange> {
  const [isTest, isLive] = [switchFlag(input, 'test'), switchFlag(input, 'live')]
  if (isTest && isLive)
    throw new UsageError('--test and --live contradict each other', { code: 'given_twice' })
  const baseUrl = textFlag(input, 'base-url')
  const apiVersion = textFlag(input, 'api-version')
  const apiKey = await readKey(invocation, input)
  return {
    ...(baseUrl === undefined ? {} : { baseUrl: checkBaseUrl(baseUrl, '--base-url') }),
    ...(isTest ? { mode: 'test' } : isLive ? { mode: 'live' } : {}),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(apiVersion === undefined ? {} : { apiVersion: checkApiVersion(apiVersion, '--api-version') }),
    limits: readLimits(input),
  }
}

/** The key from stdin, a file or a prompt that shows nothing; never from a flag. */
async function readKey(invocation: Invocation, input: CommandInput): Promise<string | undefined> {
  const { context } = invocation
  const path = textFlag(input, 'api-key-file')
  const fromStdin = switchFlag(input, 'api-key-stdin')
  if (fromStdin && path !== undefined) {
    throw new UsageError('--api-key-stdin and --api-key-file both give the key: choose one', {
      code: 'two_sources',
    })
  }
  if (fromStdin)
    return kept(
      invocation,
      checkApiKey(await readSecret(invocation, { what: '--api-key-stdin', label: 'API key' }), 'stdin'),
    )
  if (path === undefined) return undefined
  const file = readKeyFile(path, { uid: context.uid })
  for (const line of file.warnings) await invocation.warn(`Warning: ${line}`)
  return kept(invocation, file.apiKey)
}

export async function askKey(invocation: Invocation): Promise<string | undefined> {
  if (!invocation.isInteractive) return undefined
  const prompts = await invocation.prompts()
  // What is pasted often brings a space along.
  const typed = await prompts.secret({
    label: 'API key',
    hint: 'empty: none for now',
    check: checkWith((answer) => answer.trim() === '' || checkApiKey(answer.trim(), 'the prompt')),
  })
  return typed.trim() === '' ? undefined : kept(invocation, checkApiKey(typed.trim(), 'the prompt'))
}

function kept(invocation: Invocation, apiKey: string): string {
  invocation.keepSecret(apiKey)
  return apiKey
}

function readLimits(input: CommandInput): Partial<Limits> {
  const readOnly = input.flags['read-only']
  const operations = textFlag(input, 'operations')
  const maxAmount = listFlag(input, 'max-amount')
  return {
    ...(typeof readOnly === 'boolean' ? { readOnly } : {}),
    ...(operations === undefined ? {} : { operations: readOperations(operations) }),
    ...(maxAmount.length === 0 ? {} : { maxAmount: readMaxAmount(maxAmount) }),
  }
}

function readOperations(text: string): readonly string[] {
  const known = OPERATIONS.map((operation) => operation.id)
  const ids = text.split(',').map((id) => id.trim())
  for (const id of ids) {
    if (known.some((candidate) => candidate === id)) continue
    throw new UsageError(`--operations: there is no operation "${id}"`, {
      code: 'bad_value',
      hint: didYouMean(id, known) ?? `There are ${known.join(', ')}`,
    })
  }
  return ids
}

function readMaxAmount(texts: readonly string[]): Readonly<Record<string, number>> {
  const limits: Record<string, number> = {}
  for (const text of texts) {
    const { amountMinor, currencyCode } = parseAmount(text, { what: '--max-amount', allowZero: true })
    if (currencyCode === undefined) {
      throw new UsageError(`--max-amount "${text}" does not name its currency`, {
        code: 'amount_needs_currency',
        hint: "Write it like '500 EUR'",
      })
    }
    limits[currencyCode] = amountMinor
  }
  return limits
}

/** Changes the stored profiles, safe against other processes. */
export function changeProfiles(
  invocation: Invocation,
  change: (file: ProfileFile) => ProfileFile,
): Promise<ProfileFile> {
  const { context } = invocation
  const { stop } = context.interruption
  return updateProfiles(context.configFolder, change, {
    uid: context.uid,
    newId: context.newId,
    sleep: async (ms) => {
      await context.sleep(ms, stop)
      // Cut short, it was no wait: counted as one, it would let a lock pass for abandoned.
      if (stop.aborted) throw interruptedBy(stop, 'Interrupted: nothing was stored.')
    },
  })
}

export function knownProfile(file: ProfileFile, name: string): Profile {
  const profile = file.profiles.get(name)
  if (profile !== undefined) return profile
  throw new UsageError(`There is no profile "${name}"`, {
    code: 'unknown_profile',
    hint: didYouMean(name, file.profiles.keys()) ?? 'pay profile list shows them',
    next: ['pay profile list'],
  })
}

export function shownProfile(file: ProfileFile, profile: Profile): ShownProfile {
  const { name, mode, modeIsGuess, baseUrl, apiKey, apiVersion, limits } = profile
  return {
    name,
    isDefault: file.defaultProfile === name,
    mode,
    modeIsGuess,
    baseUrl,
    apiKey: apiKey === undefined ? undefined : shownKey(apiKey),
    apiVersion,
    limits,
  }
}
