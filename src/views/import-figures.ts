/** `1,234`. Not by Intl, which takes 50 ms to begin with. */
export const groupedNumber = (number: number): string => String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
