/** What a text means, which decides its colour. The text must say so too, for readers without colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'strong' | 'dim' | 'accent'

export type Paint = (text: string, tone: Tone) => string

export const plainPaint: Paint = (text) => text

/** For tests: `good(SETTLED)`. */
export const wordsPaint: Paint = (text, tone) => `${tone}(${text})`

/** Uses the 16 basic colours, so that the terminal's theme applies. Loads chalk. */
export async function colorPaint(): Promise<Paint> {
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: 1 })
  const tones = {
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
    strong: chalk.bold,
    dim: chalk.dim,
    accent: chalk.cyan,
  } as const satisfies Record<Tone, (text: string) => string>
  return (text, tone) => tones[tone](text)
}

interface ColorSettings {
  /** The value of `--color`. */
  readonly flag: 'auto' | 'always' | 'never'
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTTY: boolean
}

/** Whether to use colour, decided in this order: the flag, NO_COLOR (https://no-color.org), FORCE_COLOR, TERM=dumb, the terminal. */
export function shouldColor({ flag, env, isTTY }: ColorSettings): boolean {
  if (flag !== 'auto') return flag === 'always'
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const force = env['FORCE_COLOR'] ?? ''
  if (force !== '') return force !== '0' && force !== 'false'
  return isTTY && env['TERM'] !== 'dumb'
}
