const ESCAPE = String.raw` ESCAPE '\'`

/** The condition that one of the columns contains a text, in upper or lower case; each takes {@link patternOf} it. */
export const anyContains = (columns: readonly string[]): string =>
  `(${columns.map((column) => `${column} LIKE ?${ESCAPE}`).join(' OR ')})`

export const patternOf = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
