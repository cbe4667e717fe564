import { truncate } from '../problem.ts'
import { redactBody, redactHeader, redactQuery, redactWords } from './redact.ts'

/** The headers and bodies of a logged request. Secrets are replaced by placeholders such as `{clientToken}`. */
export interface LoggedExchange {
  readonly requestId: string
  readonly request: LoggedMessage & {
    /** The query without its question mark; missing if there was none. */
    readonly query?: string | undefined
  }
  /** The response; missing if none was sent. */
  readonly response?: LoggedMessage | undefined
}

export interface LoggedMessage {
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body; missing if there was none. */
  readonly body?: string | undefined
  /** The length of the body in characters, if only its beginning is kept. */
  readonly bodyLength?: number | undefined
}

/** The number of characters of a body that are kept. */
export const MAX_LOGGED_BODY = 16 * 1024
const MAX_HEADERS = 50
const MAX_HEADER_LENGTH = 300
const MAX_QUERY_LENGTH = 2000
/** How much more is redacted than is kept, so that no secret is cut in half before it is recognized. */
const OVERLAP = 4 * 1024
/** The part to drop from the end of redacted text: placeholders are shorter than secrets, so half a secret can move up here. */
const LONGEST_WORD = 1024

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

interface Exchange {
  readonly requestId: string
  readonly query: string
  /** The address as the log shows it, and as it was sent: an error message may repeat it. */
  readonly path: string
  readonly pathname: string
  readonly request: Message
  readonly response: Message | undefined
}

export function loggedExchange(exchange: Exchange): LoggedExchange {
  const { requestId, query, request, response } = exchange
  const key = request.headers['x-api-key'] ?? ''
  const hide = (text: string): string => {
    const withoutKey = key.length < SHORTEST_KEY ? text : text.replaceAll(key, '{apiKey}')
    return exchange.pathname === exchange.path || exchange.pathname === ''
      ? withoutKey
      : withoutKey.replaceAll(exchange.pathname, exchange.path)
  }
  return {
    requestId,
    request: {
      query: query === '' ? undefined : truncate(redactQuery(query), MAX_QUERY_LENGTH),
      ...loggedMessage(request, hide),
    },
    response: response === undefined ? undefined : loggedMessage(response, hide),
  }
}

/** The shortest key to look for: a shorter one could be a word of the body. */
const SHORTEST_KEY = 8

function loggedMessage({ headers, body }: Message, hide: (text: string) => string): LoggedMessage {
  return {
    headers: Object.fromEntries(
      Object.entries(headers)
        .slice(0, MAX_HEADERS)
        .map(([name, value]) => [
          redactWords(truncate(name, MAX_HEADER_LENGTH)),
          truncate(redactHeader(name, value), MAX_HEADER_LENGTH),
        ]),
    ),
    ...(body === undefined || body === '' ? {} : loggedBody(body, hide)),
  }
}

function loggedBody(
  body: string,
  hide: (text: string) => string,
): Pick<LoggedMessage, 'body' | 'bodyLength'> {
  const beginning = body.slice(0, MAX_LOGGED_BODY + OVERLAP)
  const redacted = redactBody(hide(beginning))
  if (body.length <= MAX_LOGGED_BODY) return { body: redacted }
  const whole = redacted.slice(0, beginning === body ? undefined : -LONGEST_WORD)
  return { body: whole.slice(0, MAX_LOGGED_BODY).toWellFormed(), bodyLength: body.length }
}
