/** Whether XML is well-formed: checks nesting of tags, entities and characters. */
export function isWellFormed(xml: string): boolean {
  const open: string[] = []
  const bare = xml.replace(/^<\?xml[^>]*\?>/, '')
  for (const [, closing, name, rest] of bare.matchAll(/<(\/?)([a-z]+)((?:\s+[a-z]+="[^"<]*")*\s*\/?)>/g)) {
    if (closing === '/') {
      if (open.pop() !== name) return false
    } else if (rest?.endsWith('/') !== true) open.push(name ?? '')
  }
  const text = bare.replaceAll(/<\/?[a-z]+(?:\s+[a-z]+="[^"<]*")*\s*\/?>/g, '')
  const isPlain = !/[<>]/.test(text) && !/&(?!amp;|lt;|gt;|quot;|apos;)/.test(bare)
  // oxlint-disable-next-line no-control-regex -- XML 1.0 forbids them
  return open.length === 0 && isPlain && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(bare)
}
