/** Whether the digits pass the check of card numbers. */
export function passesLuhn(digits: string): boolean {
  // Only zeros: passes the sum but is no card number.
  if (/^0+$/.test(digits)) return false
  let sum = 0
  for (let at = digits.length - 1, isSecond = false; at >= 0; at -= 1, isSecond = !isSecond) {
    const digit = Number(digits[at]) * (isSecond ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}
