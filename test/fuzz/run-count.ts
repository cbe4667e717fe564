/** How many cases to run, and from which seed. `npm run fuzz` runs many more than `npm test`. */
export const runsOf = (usual: number) => ({
  runs: Number(process.env['FUZZ_RUNS'] ?? usual),
  seed: Number(process.env['FUZZ_SEED'] ?? 1),
})
