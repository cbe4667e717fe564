/** `SKILL.md` for agents that load such files, made from the text of `pay help agents`. */
export function skillPage(text) {
  const [title, ...lines] = text.trim().split('\n')
  const blocks = []
  for (const line of lines) {
    const [, term, words] = /^ {2}(\S(?: ?[^ ])*) {2,}(\S.*)$/.exec(line) ?? []
    if (line === '') blocks.push('')
    else if (term !== undefined) blocks.push(`- \`${term}\`: ${words}`)
    else if (line.startsWith(' ') || (blocks.at(-1) ?? '') !== '')
      blocks.push(`${blocks.pop()} ${line.trim()}`.trim())
    else blocks.push(line)
  }
  const body = blocks
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return `---
name: pay
description: Run payments from a terminal with pay (payctl). Use it to look up, capture, refund or cancel payments, to import records, and to plan batches that a person approves.
---

# ${title}

${body}
`
}
