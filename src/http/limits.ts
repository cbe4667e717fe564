/** A host that has not accepted a connection by then is down, or drops packets. */
export const CONNECT_TIMEOUT_MS = 10_000
/** Node closes idle connections after 5 s, as a server: a request written to one that is older could meet its end. */
export const IDLE_LIFE_MS = 4_000
/** Of an answer, whatever NODE_OPTIONS say. */
export const MAX_HEAD_BYTES = 16 * 1024
