/** Versions of the API that are served (spec 9), the earliest first: it is meant where none is named. */
export const API_VERSIONS = ['2021-09-27', '2.1'] as const
