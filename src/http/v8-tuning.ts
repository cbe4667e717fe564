import { setFlagsFromString } from 'node:v8'

interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly nodeVersion: string
}

/**
 * For a process that sends a few requests through a proxy and exits. After some calls, Node 20 starts to optimize undici's
 * WebAssembly parser on another thread, and exiting waits for that thread: a third of such a run. Node 22 doesn't wait.
 * Not used for many requests, where optimizing pays off. `PAY_NO_V8_TUNING=1` switches this off.
 */
export function leaveParserUnoptimized(environment: Environment): void {
  if (isWorthwhile(environment)) setFlagsFromString('--wasm-tiering-budget=2000000000')
}

export const isWorthwhile = ({ env, nodeVersion }: Environment): boolean =>
  env['PAY_NO_V8_TUNING'] !== '1' && Number.parseInt(nodeVersion, 10) < 22
