const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const URL_SAFE = `${LETTERS_AND_DIGITS}-_`

export interface Identifiers {
  readonly paymentId: () => string
  readonly token: () => string
  /** Ids that only have to be unlikely to meet again. */
  readonly uuid: () => string
}

export function makeIdentifiers(random: () => number): Identifiers {
  const pick = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? alphabet[0]).join('')
  const hex = (length: number) => hexOf(Math.floor(random() * 16 ** length), length)
  return {
    paymentId: () => pick(LETTERS_AND_DIGITS, 9),
    // The first sign is a letter or digit: on a command line a leading hyphen means a flag.
    token: () => `${pick(LETTERS_AND_DIGITS, 1)}${pick(URL_SAFE, 35)}`,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** As `toString(16)` with zeros in front, which takes ten times as long for numbers of this size. */
function hexOf(number: number, length: number): string {
  let text = ''
  let rest = number
  for (let digits = length; digits > 0; digits -= 2) {
    text = `${BYTES[rest % 256]}${text}`
    rest = Math.floor(rest / 256)
  }
  return text.slice(-length)
}

/** Several processes share one store, and a seeded source of chance repeats itself: takes the first that is free. */
export function firstFree(make: () => string, isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = make()
    if (!isTaken(id)) return id
  }
}
