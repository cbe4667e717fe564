import * as fc from 'fast-check'

/** The same bytes with a few removed and a few inserted, in up to three places. */
export function mutateBytes(bytes: Buffer): fc.Arbitrary<Buffer> {
  const change = fc.record({
    at: fc.nat(bytes.length),
    drop: fc.nat(6),
    put: fc.uint8Array({ maxLength: 6 }),
  })
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce(
        (buffer, { at, drop, put }) =>
          Buffer.concat([buffer.subarray(0, at), put, buffer.subarray(at + drop)]),
        bytes,
      ),
    )
}
