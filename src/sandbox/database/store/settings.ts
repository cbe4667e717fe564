import { randomUUID } from 'node:crypto'
import { DEFAULT_SETTINGS } from '../../../api/checkout-settings.ts'
import type { CheckoutSettings } from '../../../api/checkout-settings.ts'
import type { SettingsStore } from '../../domain/store/store.ts'
import { textIn } from '../../../store/database.ts'
import type { Database } from '../../../store/database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'

const isCheckoutSettings = hasTexts<CheckoutSettings>('threeDSecure', 'authorizationType')

export function settingsIn(database: Database, newSecret: () => string): SettingsStore {
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
    changeMark: () => read('change-mark'),
    // Apart from the sandbox's own IDs, so that controls don't change those.
    markChange: (): void => void write('change-mark', randomUUID()),
    identity: () => read('identity'),
    makeIdentity: (): void => void write('identity', randomUUID()),
    seedMark: () => read('seed-mark'),
    markSeed: () => write('seed-mark', randomUUID()),
    clockOffsetMs: () => Number(read('clock-offset-ms') ?? 0),
    setClockOffsetMs: (offsetMs: number): void => void write('clock-offset-ms', String(offsetMs)),
    checkout: () => readDocument({ doc: read('checkout') }, isCheckoutSettings) ?? DEFAULT_SETTINGS,
    saveCheckout: (settings: CheckoutSettings): void => void write('checkout', writeDocument(settings)),
    secret: (make = newSecret) => read('secret') ?? write('secret', make()),
  }
}
