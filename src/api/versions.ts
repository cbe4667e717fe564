/** Supported API versions (spec 9), earliest first. The earliest applies to requests without a version. */
export const API_VERSIONS = ['2021-09-27', '2.1'] as const

/** Whether a version has the rules added in 2.1. Earlier versions were dates. */
export const isVersion21OrLater = (version: string): boolean =>
  !/^\d{4}-\d{2}-\d{2}$/.test(version) || version > LAST_BEFORE_21

const LAST_BEFORE_21 = '2021-09-27'
