/** Far beyond every amount. `1e999999999` must not become a billion digits. */
const MAX_DIGITS = 1_000

/**
 * The integer that a JSON number stands for: 100 for `100.0` and for `1e2` (JSON Schema counts both as integers). Undefined
 * where it is none, or has more digits than anyone needs. Nothing is rounded.
 */
export function integerOf(digits: string): number | bigint | undefined {
  if (digits.length > MAX_DIGITS) return undefined
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? []
  if (whole === undefined) return undefined
  const written = (whole + fraction).replace(/^0+/, '')
  const bare = written.replace(/0+$/, '')
  if (bare === '') return 0
  const zeros = written.length - bare.length - fraction.length + Number(exponent)
  if (zeros < 0 || bare.length + zeros > MAX_DIGITS) return undefined
  const integer = BigInt(`${sign}${bare}${'0'.repeat(zeros)}`)
  return BigInt.asIntN(54, integer) === integer && Number.isSafeInteger(Number(integer))
    ? Number(integer)
    : integer
}
