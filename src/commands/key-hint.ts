import { lastFour } from '../config/secrets.ts'

/** A key as it may be shown: its last four at most. */
export const keyHint = (apiKey: string): string => `••••${lastFour(apiKey)}`
