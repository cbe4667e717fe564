/** Whether a text can be stored. SQLite cuts it at NUL, and UTF-8 holds no unpaired surrogate: two ids could become one. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export const UNSTORABLE = 'contains a NUL or an unpaired surrogate'
