const LOOPBACK = /^(?:localhost|::1|\[::1\]|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})$/

/**
 * Whether a host is this machine: `localhost`, `127.0.0.1` and its network, `::1` with or without brackets. Excludes `*.localhost`:
 * some resolvers send it elsewhere.
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)
