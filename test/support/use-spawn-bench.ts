import { afterEach, beforeEach, onTestFinished } from 'vitest'
import { startScriptedServer } from './scripted-server.ts'
import { createSpawnBench } from './spawn-pay.ts'
import type { SpawnBench } from './spawn-pay.ts'

/** A new bench of the built program for each test of a file, removed after it. */
export function useSpawnBench(make: () => SpawnBench = createSpawnBench): SpawnBench {
  let bench: SpawnBench
  beforeEach(() => {
    bench = make()
  })
  afterEach(() => bench.dispose())
  return {
    get folder() {
      return bench.folder
    },
    get configFolder() {
      return bench.configFolder
    },
    get stateFolder() {
      return bench.stateFolder
    },
    get env() {
      return bench.env
    },
    pay: (words, options) => bench.pay(words, options),
    start: (words, options) => bench.start(words, options),
    shell: (line, options) => bench.shell(line, options),
    dispose: () => bench.dispose(),
  }
}

/** Starts a scripted server that is closed after the test. `env` is an account on it. */
export async function serve(script: Parameters<typeof startScriptedServer>[0]) {
  const service = await startScriptedServer(script)
  onTestFinished(() => service.close())
  return { service, env: { PAY_API_KEY: 'key-of-env-0123', PAY_BASE_URL: service.url } }
}
