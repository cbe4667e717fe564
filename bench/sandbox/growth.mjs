/** More growth than this is a leak. */
export const ALLOWED_GROWTH = 1.25

/**
 * The mean of the last quarter of the readings, divided by the mean of the second. The first quarter is the start, when code is
 * loaded and compiled. Infinity if there are too few readings for quarters.
 */
export function growthOf(readings) {
  const quarter = Math.floor(readings.length / 4)
  if (quarter === 0) return Number.POSITIVE_INFINITY
  return mean(readings.slice(-quarter)) / mean(readings.slice(quarter, 2 * quarter))
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
