/**
 * The undici modules that a request needs. The package's index also loads fetch, WebSocket, caches and mocks, and takes
 * 70 to 90 ms instead of 25 (unbundled, Node 20). The package publishes types for its index only.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export = Pool
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import type { Dispatcher, Pool, ProxyAgent as Published, buildConnector } from 'undici'

  /** Manages the connections to the proxy. */
  interface ProxyClient {
    connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>
    close(): Promise<void>
    destroy(): Promise<void>
  }

  interface Options
    extends Omit<Published.Options, 'clientFactory' | 'factory'>, Omit<Pool.Options, 'factory'> {
    clientFactory: (proxy: URL, options: { connect: buildConnector.connector }) => ProxyClient
    factory: (origin: string, options: Pool.Options & { connect: buildConnector.connector }) => Dispatcher
  }

  const ProxyAgent: new (options: Options) => Dispatcher
  export = ProxyAgent
}

/** Sends CONNECT. undici's index installs it as a method of every dispatcher. */
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'
  function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>
  export = connect
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'
  export = buildConnector
}
