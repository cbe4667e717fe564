/** Highest and default number of payments per page of `GET /payments`. */
export const PAGE_LIMIT = 100
