import type { Bench, RunOptions } from './run-pay.ts'

/** A line that is mistyped or refused, with what it runs with; a function acts between two lines. */
export type Mistake =
  | string
  | readonly [line: string | readonly string[], options: RunOptions]
  | (() => unknown)

/**
 * Runs lines on one bench, one after the other, and returns what a person reads of each that fails: the line, its exit code, and what
 * it prints. A name of `values` stands for its value in the lines and in the transcript.
 */
export async function transcriptOf(
  bench: Bench,
  lines: readonly Mistake[],
  values: Readonly<Record<string, string>> = {},
): Promise<string> {
  const pieces: string[] = []
  const done: string[] = []
  const filled = (word: string): string =>
    Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), word)
  for (const each of lines) {
    if (typeof each === 'function') {
      await each()
      continue
    }
    const [line, options] = typeof each === 'string' ? [each, {}] : each
    const { exitCode, stdout, stderr } = await bench.runPay(
      typeof line === 'string' ? filled(line) : line.map(filled),
      options,
    )
    if (exitCode === 0) done.push(String(line))
    const shown = typeof line === 'string' ? line : line.join(' ').toWellFormed()
    const env = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value} `)
    pieces.push(`$ ${env.join('')}pay ${shown}\n[${exitCode}]\n${stdout}${plain(stderr)}`)
  }
  if (done.length > 0) throw new Error(`no mistakes: ${done.join('; ')}`)
  const whole = pieces.join('\n').replaceAll(bench.folder, '/work')
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(value, name), whole)
}

/** Without the line with which every command on the sandbox begins, and the IDs to quote. */
const plain = (stderr: string): string =>
  stderr.replaceAll(/^(?:.*embedded sandbox: no real money.*| +Quote .*)\n?/gm, '')
