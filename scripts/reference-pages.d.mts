interface Described {
  readonly data: readonly unknown[]
  readonly globalFlags: readonly unknown[]
}

/** Texts by file name. */
export function referencePages(described: Described): ReadonlyMap<string, string>
