/** Mappings for the exports of common services, by the name that `--mapping` takes. */
export const READY_MAPPINGS: Readonly<Record<string, string>> = {}
