import { randomBytes } from 'node:crypto'
import { textIn } from '../database.ts'
import type { Database } from '../database.ts'

export type Settings = ReturnType<typeof settingsIn>

/** The few values that belong to the whole folder. */
export function settingsIn(database: Database) {
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
    /** How far the virtual clock is ahead of the machine's, in milliseconds. */
    clockOffsetMs: () => Number(read('clock-offset-ms') ?? 0),
    setClockOffsetMs: (offsetMs: number): void => void write('clock-offset-ms', String(offsetMs)),
    /** Signs client tokens; made at first use. */
    secret: () => read('secret') ?? write('secret', randomBytes(32).toString('base64url')),
  }
}
