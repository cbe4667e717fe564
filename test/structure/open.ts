/** What the map does not allow and is still there; each entry goes with its import. */
export const OPEN_IMPORTS: readonly string[] = []
export const OPEN_CIRCLES: readonly string[] = []
export const OPEN_LENGTHS: readonly string[] = []
