const PRINTABLE_ASCII = /^[ -~]*$/

/** Text of a service or an input for a cell. An ID stays as it is, even if it looks like a card number. */
export const safeCell = (text: string, clean: (text: string) => string): string =>
  PRINTABLE_ASCII.test(text) ? text : clean(text)
