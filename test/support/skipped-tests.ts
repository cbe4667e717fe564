import type { Reporter, TestModule } from 'vitest/node'

/** Prints one line for each reason that tests gave when they were skipped, so that a green run hides nothing. */
export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'skipped' && result.note !== undefined)
          counts.set(result.note, (counts.get(result.note) ?? 0) + 1)
      }
    for (const [reason, count] of counts)
      process.stdout.write(`\nSkipped ${count} ${count === 1 ? 'test' : 'tests'}: ${reason}\n`)
  }
}
