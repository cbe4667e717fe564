/** The API versions that the service serves (spec 9), earliest first. The earliest applies to requests without a version. */
export const API_VERSIONS = ['2021-09-27', '2.1'] as const

/** Versions that are served as 2.1. Dates after 2021-09-27 are too. */
export const LATER_VERSIONS = ['2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9'] as const

/** Whether a version has the rules added in 2.1. Earlier versions were dates. */
export const isVersion21OrLater = (version: string): boolean =>
  !/^\d{4}-\d{2}-\d{2}$/.test(version) || version > LAST_BEFORE_21

const LAST_BEFORE_21 = '2021-09-27'

/** Fields of later versions that choose which money moves. Ignoring one would move other money, so they are refused. */
const MONEY_FIELDS: readonly unknown[] = ['transactionEventId']

/** Whether a path leads to such a field. */
export const choosesMoney = (path: readonly (string | number)[]): boolean =>
  MONEY_FIELDS.includes(path.at(-1))
