import type { JSX } from 'preact'
import { groupThousands } from '../../../text/words.ts'

/** Digits in groups, separated by style: what is read aloud, copied and searched stays the plain number. */
export const Grouped = ({ groups }: { readonly groups: readonly string[] }): JSX.Element => (
  <span class="grouped">
    {groups.map((group, index) => (
      <span key={index}>{group}</span>
    ))}
  </span>
)

/** `12360.27 EUR`, its thousands grouped. */
export function Money({ text }: { readonly text: string }): JSX.Element {
  const { whole = '', rest = text } = /^(?<whole>\d+)(?<rest>.*)$/s.exec(text)?.groups ?? {}
  return (
    <span class="money">
      {whole === '' ? null : <Grouped groups={groupThousands(whole).split(',')} />}
      {rest}
    </span>
  )
}
