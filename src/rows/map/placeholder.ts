/** The mark of a value that you have to fill in, in a suggested command or mapping. */
export const PLACEHOLDER = '…'

/** Whether a value was never filled in: our placeholder or a common one. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:…|\.{3,}|<[^<>]*>|todo|fixme|changeme)$/i.test(text.trim())
