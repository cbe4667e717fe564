import { expect, test } from 'vitest'
import { runBundled } from './support/run-bundled.ts'

test('an error that cannot be reported normally is one line with exit code 1', async () => {
  const ended = await runBundled(`
    process.argv.splice(2, Infinity, 'payment', 'get')
    const write = process.stderr.write.bind(process.stderr)
    let isFirst = true
    process.stderr.write = (...words) => {
      if (!isFirst) return write(...words)
      isFirst = false
      throw new Error('stderr\\nis broken')
    }
    void import('./src/main.ts')`)
  expect(ended).toEqual({ exitCode: 1, stdout: '', stderr: 'Error: Unexpected error: stderr is broken\n' })
})
