import type { Paint } from './paint.ts'
import { safeText } from './safe-text.ts'
import { truncate } from './width.ts'

const WIDEST = 60

/** A three-line banner that says LIVE in words, at any width and without colour. */
export function renderLiveModeWarning(
  profileName: string,
  { paint, width }: { readonly paint: Paint; readonly width: number | undefined },
): string {
  const columns = Math.min(WIDEST, width ?? WIDEST)
  const rule = paint('='.repeat(columns), 'bad')
  const words = truncate(`  LIVE: real money, on profile ${safeText(profileName)}`, columns)
  return [rule, paint(words, 'bad'), rule].join('\n')
}
