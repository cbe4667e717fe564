/** `npm test` tries some, `npm run fuzz` very many; another seed, other cases. */
export const runsOf = (usual: number) => ({
  runs: Number(process.env['FUZZ_RUNS'] ?? usual),
  seed: Number(process.env['FUZZ_SEED'] ?? 1),
})
