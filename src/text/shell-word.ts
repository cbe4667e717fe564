/** The text if it is a short word that no shell would need quotes for: an ID of the service, for a suggested command. */
export const plainWord = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.][\w.-]{0,63}$/.test(text) ? text : undefined

/** Quotes a word for a POSIX shell, if needed. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
