import { isLosslessNumber } from '../json/json.ts'
import { hasUnsafeSigns, safeJson } from './safe-text.ts'
import { plainYaml } from './yaml-plain.ts'

/** YAML with every digit of a number, and quotes where a reader of YAML 1.1 would see something else (`NO`, `12:30`). */
export async function yamlText(value: unknown): Promise<string> {
  if (!Array.isArray(value)) return plainDocument(value) ?? exactYaml(value)
  // A list is its entries one after the other. Those that the library has to write are handed over together.
  const pieces: string[] = []
  let odd: unknown[] = []
  const writeOdd = async () => {
    if (odd.length > 0) pieces.push(await exactYaml(odd))
    odd = []
  }
  for (const entry of value) {
    const text = plainDocument([entry])
    if (text === undefined) odd.push(entry)
    else {
      if (odd.length > 0) await writeOdd()
      pieces.push(text)
    }
  }
  await writeOdd()
  return value.length === 0 ? '[]\n' : pieces.join('')
}

function plainDocument(value: unknown): string | undefined {
  const text = plainYaml(value)
  return text === undefined ? undefined : `${text}\n`
}

/** A type of its own in YAML 1.1, which the library does not know and PyYAML cannot construct. */
const DEFAULT_KEY = '='

/** By the library, whatever it is. */
export async function exactYaml(value: unknown): Promise<string> {
  const { Document, Scalar, visit } = await import('yaml')
  const exactNumber = {
    identify: isLosslessNumber,
    tag: 'tag:yaml.org,2002:float',
    default: true,
    // Only written, never read.
    resolve: (text: string) => text,
    stringify: ({ value: number }: { readonly value: unknown }) => String(number),
  }
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: [exactNumber],
    compat: 'yaml-1.1',
  })
  visit(document, {
    Scalar(_, node) {
      const { value: text } = node
      if (typeof text === 'string' && (text === DEFAULT_KEY || hasUnsafeSigns(text)))
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  // What is unsafe now stands between double quotes, where YAML knows the escapes of JSON.
  return safeJson(document.toString({ lineWidth: 0, doubleQuotedAsJSON: true }))
}
