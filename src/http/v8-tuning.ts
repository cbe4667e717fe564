import { setFlagsFromString } from 'node:v8'

interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly nodeVersion: string
}

/**
 * For a process that sends a few requests through a proxy and ends. undici's parser is WebAssembly; Node 20 starts to
 * optimize it after some calls on another thread, and an exit waits for that thread: a third of such a run. Node 22
 * doesn't wait. Not for many requests, where the optimizing is worth it. `PAY_NO_V8_TUNING=1` switches it off.
 */
export function leaveParserUnoptimized(environment: Environment): void {
  if (isWorthwhile(environment)) setFlagsFromString('--wasm-tiering-budget=2000000000')
}

export const isWorthwhile = ({ env, nodeVersion }: Environment): boolean =>
  env['PAY_NO_V8_TUNING'] !== '1' && Number.parseInt(nodeVersion, 10) < 22
