/** `TEST_EFFORT=10 npm test` asks chance ten times as often, and tells what the usual number would seldom meet. */
const EFFORT = Number(process.env['TEST_EFFORT'] ?? 1)

/** How often something is tried at random, if it is usually tried so often. */
export const tries = (usual: number): number => Math.max(1, Math.round(usual * EFFORT))
