/** Stands in a suggested command or mapping where only a person knows the value. */
export const PLACEHOLDER = '…'

/** Whether somebody has left a blank as it was: ours, or one of those that people write. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:…|\.{3,}|<[^<>]*>|todo|fixme|changeme)$/i.test(text.trim())
