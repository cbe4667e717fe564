import type { ComponentChild } from 'preact'
import { Breakable } from './breakable.tsx'

export type Detail = readonly [name: string, value: ComponentChild]

/** Names and values. Values that are undefined, null or empty are left out. */
export function Details({ entries }: { readonly entries: readonly Detail[] }) {
  return (
    <dl class="details">
      {entries
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>
              <Breakable text={name} />
            </dt>
            <dd>{typeof value === 'string' ? <Breakable text={value} /> : value}</dd>
          </div>
        ))}
    </dl>
  )
}
