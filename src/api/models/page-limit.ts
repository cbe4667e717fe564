/** The most payments on one page of `GET /payments`, and how many there are unless less is asked for. */
export const PAGE_LIMIT = 100
