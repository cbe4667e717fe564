import { randomBytes } from 'node:crypto'
import { textIn } from '../database.ts'
import type { Database } from '../database.ts'

/** The few values that belong to the whole folder. */
export interface Settings {
  /** What the virtual clock is ahead of the machine's, in milliseconds. */
  clockOffsetMs(): number
  setClockOffsetMs(offsetMs: number): void
  /** Signs client tokens; made at first use. */
  secret(): string
}

export function settingsIn(database: Database): Settings {
  const read = (name: string) =>
    textIn(database.get('SELECT value FROM settings WHERE name = ?', name), 'value')
  const write = (name: string, value: string) => {
    database.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
    return value
  }
  return {
    clockOffsetMs: () => Number(read('clock-offset-ms') ?? 0),
    setClockOffsetMs: (offsetMs) => void write('clock-offset-ms', String(offsetMs)),
    secret: () => read('secret') ?? write('secret', randomBytes(32).toString('base64url')),
  }
}
