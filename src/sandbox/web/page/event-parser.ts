/** One event of a stream of Server-Sent Events. */
export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Returns a function that takes the text of a stream piece by piece and returns the events that each piece completes. */
export function eventParser(): (text: string) => readonly StreamEvent[] {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => parseBlock(block) ?? [])
  }
}

/** Undefined for a block of comments. The sandbox separates names and values with one space, and lines with LF. */
function parseBlock(block: string): StreamEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
  return id === undefined || event === undefined || data === undefined ? undefined : { id, event, data }
}
