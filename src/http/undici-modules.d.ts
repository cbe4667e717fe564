/**
 * The modules of undici that a request needs. Its index loads fetch, WebSocket, caches and mocks too: 70 to 90 ms in
 * place of 25, measured unbundled on Node 20. The package publishes types for the index alone.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export = Pool
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import type { Dispatcher, Pool, ProxyAgent as Published, buildConnector } from 'undici'

  /** What it does with its connections to the proxy. */
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

/** Sends CONNECT; the index makes it a method of every dispatcher. */
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'
  function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>
  export = connect
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'
  export = buildConnector
}
