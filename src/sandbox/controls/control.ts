import type { Controls } from './controls.ts'

/** The input of a control. */
export interface ControlInput {
  /** Values of the parameters in its path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Parsed JSON; undefined if there was none. */
  readonly body: unknown
  readonly random: () => number
  /** The client token that authenticated the request; undefined for API keys. */
  readonly sessionToken: string | undefined
}

export interface Control {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** May have parameters: `/sandbox/requests/:requestId`. */
  readonly path: string
  /** The only input that it accepts. */
  readonly reads?: 'body' | 'query'
  /** Whether a client token may use it, for its own session. */
  readonly isForCheckout?: true
  /** Checks the input, then runs the control. */
  readonly run: (controls: Controls, input: ControlInput) => Promise<unknown>
}

/** The values of the parameters in the path; undefined if the control has another path. */
export function paramsOf({ path }: Control, pathname: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [path.split('/'), pathname.replace(/\/$/, '').split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const text = given[index] ?? ''
    if (segment.startsWith(':') && text !== '') params[segment.slice(1)] = decode(text)
    else if (segment !== text) return undefined
  }
  return params
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
