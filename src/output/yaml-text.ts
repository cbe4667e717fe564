import { Document, Scalar, visit } from 'yaml'
import { isLosslessNumber } from '../json/json.ts'
import { hasUnsafeCharacters, safeJson } from './safe-text.ts'

/** Entries per document: the library builds a tree of a document, which takes 40 times the memory of its text. */
const ENTRIES_AT_ONCE = 100

/** YAML with every digit of a number, and quotes where YAML 1.1 would read another type (`NO`, `12:30`). */
export function renderYaml(value: unknown): string {
  if (!Array.isArray(value) || value.length <= ENTRIES_AT_ONCE) return documentText(value)
  // Documents of a list's parts, concatenated, form the list.
  const pieces: string[] = []
  for (let from = 0; from < value.length; from += ENTRIES_AT_ONCE)
    pieces.push(documentText(value.slice(from, from + ENTRIES_AT_ONCE)))
  return pieces.join('')
}

/** A special type in YAML 1.1, unknown to the library; PyYAML fails on it. */
const DEFAULT_KEY = '='

const EXACT_NUMBER = {
  identify: isLosslessNumber,
  tag: 'tag:yaml.org,2002:float',
  default: true,
  // Only written, never read.
  resolve: (text: string) => text,
  stringify: ({ value }: { readonly value: unknown }) => String(value),
}

function documentText(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: [EXACT_NUMBER],
    compat: 'yaml-1.1',
  })
  visit(document, {
    Scalar(_, node) {
      const { value: text } = node
      if (typeof text === 'string' && (text === DEFAULT_KEY || hasUnsafeCharacters(text)))
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  // Unsafe characters are now inside double quotes, where YAML accepts JSON escapes.
  return safeJson(document.toString({ lineWidth: 0, doubleQuotedAsJSON: true }))
}
