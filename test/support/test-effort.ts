/** The factor of random cases: `TEST_EFFORT=10 npm test` runs ten times as many. */
const EFFORT = Number(process.env['TEST_EFFORT'] ?? 1)

/** How many random cases a test runs, given its usual number: `{ numRuns: scaledRuns(200) }`. At least 1. */
export const scaledRuns = (usual: number): number => Math.max(1, Math.round(usual * EFFORT))
