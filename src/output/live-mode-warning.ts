import type { Paint } from './paint.ts'
import { safeText } from './safe-text.ts'
import { truncate } from './width.ts'

const MAX_WIDTH = 60

/** A three-line banner that says LIVE in words, at any width and without colour. */
export function renderLiveModeWarning(
  profileName: string,
  { paint, width }: { readonly paint: Paint; readonly width: number | undefined },
): string {
  const columns = Math.min(MAX_WIDTH, width ?? MAX_WIDTH)
  const rule = paint('='.repeat(columns), 'bad')
  const sentence = truncate(`  LIVE: real money, on profile ${safeText(profileName)}`, columns)
  return [rule, paint(sentence, 'bad'), rule].join('\n')
}
