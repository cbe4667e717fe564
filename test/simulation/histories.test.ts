import { test } from 'vitest'
import { expectBatchHistories, expectHistories, seedsFrom } from './expect-histories.ts'

/** A first look; the deep tests run more. Different ones in every run, to find what no one has thought of. */
const seed = Math.floor(Math.random() * 2 ** 31)

test('every invariant holds in 120 new histories', () => expectHistories(seedsFrom(seed, 120)), 120_000)

test('and in 60 of batches', () => expectBatchHistories(seedsFrom(seed, 60)), 120_000)
