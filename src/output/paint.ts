/** What a piece of text is, not which colour it has. Nothing may be told by the tone alone. */
export type Tone = 'good' | 'bad' | 'warn' | 'strong' | 'dim' | 'accent'

export type Paint = (text: string, tone: Tone) => string

export const plainPaint: Paint = (text) => text

/** For tests: `good(SETTLED)`. */
export const wordsPaint: Paint = (text, tone) => `${tone}(${text})`

/** Sixteen colours, so that the terminal's own theme decides how they look. Loads chalk when first asked for. */
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

export interface ColorSettings {
  /** `--color`. */
  readonly flag: 'auto' | 'always' | 'never'
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTTY: boolean
}

/** The flag decides; then NO_COLOR, as https://no-color.org asks; then FORCE_COLOR, TERM=dumb and the terminal. */
export function shouldColor({ flag, env, isTTY }: ColorSettings): boolean {
  if (flag !== 'auto') return flag === 'always'
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const force = env['FORCE_COLOR'] ?? ''
  if (force !== '') return force !== '0' && force !== 'false'
  return isTTY && env['TERM'] !== 'dumb'
}
