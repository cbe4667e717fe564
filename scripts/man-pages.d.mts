interface Described {
  readonly data: readonly unknown[]
  readonly globalFlags: readonly unknown[]
}

/** Texts by file name. */
export function manPages(described: Described): ReadonlyMap<string, string>
