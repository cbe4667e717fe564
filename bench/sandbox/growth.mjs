/** More than this is a leak. */
export const ALLOWED_GROWTH = 1.25

/**
 * The mean of the last quarter of some readings as a multiple of that of the second: the first is the start, when
 * everything is loaded and compiled. Too few to have quarters are grown beyond measure.
 */
export function growthOf(readings) {
  const quarter = Math.floor(readings.length / 4)
  if (quarter === 0) return Number.POSITIVE_INFINITY
  return mean(readings.slice(-quarter)) / mean(readings.slice(quarter, 2 * quarter))
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
