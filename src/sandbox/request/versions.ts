import { API_VERSIONS, LATER_VERSIONS } from '../../api/versions.ts'
import { isRealDay } from '../../text/moment.ts'
import { Problem } from '../problem.ts'

export type ApiVersion = (typeof API_VERSIONS)[number]

const [OLDER, NEWER] = API_VERSIONS

/** The earliest date that is accepted. */
const FIRST = '2021-09-08'

/**
 * The version to serve a request in: dates before 2.1 mean the older one, everything later means 2.1.
 * @throws {Problem} `UnsupportedApiVersion`
 */
export function readVersion(header: string | undefined): ApiVersion {
  if (header === undefined) return OLDER
  if (header === NEWER || isLater(header)) return NEWER
  if (isDate(header) && header >= FIRST) return OLDER
  throw new Problem(
    'UnsupportedApiVersion',
    `X-Api-Version must be ${OLDER}, ${NEWER}, or a later version: up to 2.9, or a date.`,
  )
}

/** Whether a version is later than 2.1, which is then served. */
export const isLater = (header: string | undefined): boolean =>
  header !== undefined &&
  (LATER_VERSIONS.some((version) => version === header) || (isDate(header) && header > OLDER))

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDay(text)
