/** Versions of the API that are served (spec 9), the earliest first: it is meant where none is named. */
export const API_VERSIONS = ['2021-09-27', '2.1'] as const

/** Whether a version has the rules that 2.1 added; versions before it were dates. */
export const isVersion21OrLater = (version: string): boolean =>
  !/^\d{4}-\d{2}-\d{2}$/.test(version) || version > LAST_BEFORE_21

const LAST_BEFORE_21 = '2021-09-27'
