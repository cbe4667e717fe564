const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const URL_SAFE = `${LETTERS_AND_DIGITS}-_`

export interface Identifiers {
  readonly paymentId: () => string
  readonly token: () => string
  /** An id that is unlikely to repeat. Other ids are also checked against the store. */
  readonly uuid: () => string
}

export function makeIdentifiers(random: () => number): Identifiers {
  const pick = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? alphabet[0]).join('')
  const hex = (length: number) =>
    Math.floor(random() * 16 ** length)
      .toString(16)
      .padStart(length, '0')
  return {
    paymentId: () => pick(LETTERS_AND_DIGITS, 9),
    // IDs start with a letter or digit: on a command line, a leading hyphen means a flag.
    token: () => `${pick(LETTERS_AND_DIGITS, 1)}${pick(URL_SAFE, 35)}`,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}

/** Returns the first id that isn't taken. Processes share a store, and a seeded random source repeats itself. */
export function firstFree(make: () => string, isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = make()
    if (!isTaken(id)) return id
  }
}
