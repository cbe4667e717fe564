/** Builds once, at first use. */
export function lazy<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined
  return () => (built ??= { value: build() }).value
}
