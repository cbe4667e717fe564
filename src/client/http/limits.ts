/** How long to wait for a connection. A host that has not accepted one by then is down or drops packets. */
export const CONNECT_TIMEOUT_MS = 10_000
/**
 * How long an idle connection is reused. Node servers close idle connections after 5 s: stop reusing ours at 4 s, before a
 * request can meet a closing one.
 */
export const IDLE_TIMEOUT_MS = 4_000
/** The most bytes of a response's headers; overrides NODE_OPTIONS. */
export const MAX_HEAD_BYTES = 16 * 1024
/** The most bytes of a response's body, compressed or not. Far larger than any response of the service. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024
