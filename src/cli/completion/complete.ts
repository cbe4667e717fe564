import { hasUnsafeCharacters, safeText } from '../../output/safe-text.ts'
import { quoteForBash, quoteForPowerShell, readBashLine, unquoted } from './shell-words.ts'
import { findPlace } from './cursor.ts'
import type { TypedFlag } from '../parse/scan-line.ts'
import { valuesFor } from './values.ts'
import type { CompletionRequest, Candidate } from './values.ts'
import type { Context } from '../command/context.ts'
import type { Noun, Tree } from '../command/spec.ts'

/** In characters. */
const MAX_LENGTH = 200
const MAX_CANDIDATES = 100

/**
 * Prints the candidates for a shell, one per line: `value TAB description`, or `:files` to let the shell complete file
 * names. After an error there are no candidates. Uses no network and no secrets, and writes nothing.
 */
export async function complete(tree: Tree, words: readonly string[], context: Context): Promise<number> {
  try {
    const [shell = '', ...rest] = words
    await context.stdout.write(
      (await linesFor(shell, rest, tree, context)).map((line) => `${line}\n`).join(''),
    )
  } catch {
    // Such as an unreadable profile file. The commands that need it report it.
  }
  return 0
}

async function linesFor(
  shell: string,
  rest: readonly string[],
  tree: Tree,
  context: Context,
): Promise<readonly string[]> {
  if (shell === 'bash') {
    const [wordBreaks = '', line = ''] = rest
    const { before, current, prefixLength, quote } = readBashLine(line, wordBreaks)
    const found = await candidates(tree, context, before, current)
    if (typeof found === 'string') return [`:${found}`]
    return found.flatMap(({ value }) => quoteForBash(value.slice(prefixLength), quote) ?? [])
  }
  // The scripts mark this argument with a colon, because PowerShell drops empty arguments.
  const [markedWord = ':', ...before] = rest
  const found = await candidates(tree, context, before, unquoted(markedWord.slice(1)))
  if (typeof found === 'string') return [`:${found}`]
  return found.map(({ value, description }) => {
    const words = description === undefined || description === '' ? [value] : [value, safeText(description)]
    return (shell === 'powershell' ? [quoteForPowerShell(value), ...words] : words).join('\t')
  })
}

async function candidates(
  tree: Tree,
  context: Context,
  before: readonly string[],
  current: string,
): Promise<readonly Candidate[] | 'files' | 'folders'> {
  const { place, given } = await findPlace(tree, before, current)
  const request: CompletionRequest = { tree, context, given }
  switch (place.kind) {
    case 'nothing':
      return []
    case 'noun':
      return matchingCandidates(nouns(tree), '', current)
    case 'verb':
      return matchingCandidates(await verbs(place.noun), '', current)
    case 'flag':
      return matchingCandidates(place.flags.flatMap(flagCandidates), '', current)
    case 'value': {
      const { flag, prefix, typed } = place
      if (flag.secret === true) return []
      const values = await valuesFor(flag, flag.kind, request)
      return typeof values === 'string'
        ? namesOr(values, flag, prefix, typed)
        : matchingCandidates(values, prefix, typed)
    }
    case 'argument': {
      const { argument } = place
      if (argument.secret === true) return []
      const values = await valuesFor(argument, undefined, request)
      return typeof values === 'string' ? values : matchingCandidates(values, '', current)
    }
  }
}

/** A shell completes file names alone, so known names come first: files if none of them fits. */
function namesOr(
  files: 'files' | 'folders',
  { suggestions = [] }: TypedFlag,
  prefix: string,
  typed: string,
): readonly Candidate[] | 'files' | 'folders' {
  const named = matchingCandidates(
    suggestions.map((value) => ({ value })),
    prefix,
    typed,
  )
  return named.length === 0 ? files : named
}

const nouns = (tree: Tree): readonly Candidate[] =>
  Object.entries(tree).flatMap(([name, { summary, alias }]) =>
    [name, ...(alias === undefined ? [] : [alias])].map((value) => ({ value, description: summary })),
  )

async function verbs({ verbs: all = {} }: Noun): Promise<readonly Candidate[]> {
  return Promise.all(
    Object.entries(all).map(async ([value, load]) => ({
      value,
      description: (await load()).command.summary,
    })),
  )
}

const flagCandidates = ({ typed, help }: TypedFlag): readonly Candidate[] => [
  { value: typed, description: help },
]

/** The candidates that start with what is typed, without duplicates and without control characters. */
function matchingCandidates(all: readonly Candidate[], prefix: string, typed: string): readonly Candidate[] {
  const seen = new Set<string>()
  return all
    .filter(({ value }) => {
      const isNew = !seen.has(value)
      seen.add(value)
      return isNew && value !== '' && value.startsWith(typed) && isPrintable(value)
    })
    .slice(0, MAX_CANDIDATES)
    .map(({ value, description }) => ({ value: `${prefix}${value}`, description: description }))
}

const isPrintable = (value: string): boolean =>
  value.length <= MAX_LENGTH && !/[\t\r\n]/.test(value) && !hasUnsafeCharacters(value)
