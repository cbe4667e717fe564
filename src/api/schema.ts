import * as z from 'zod/mini'
import type { SetName } from './sets.ts'

export { z }

/** A schema that is built when first asked for: a cold one costs about half a millisecond and a command needs two or three. */
export type Schema<Output = unknown> = () => z.ZodMiniType<Output>

/** Builds a schema once, at first use. */
export function lazySchema<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined
  return () => (built ??= { value: build() }).value
}

/** The parsed shape of a lazily built schema. */
export type Shape<S extends () => z.ZodMiniType> = z.infer<ReturnType<S>>

/** Which strings belong to which named set; read by `inspect.ts`. */
export const setRegistry = z.registry<{ readonly set: SetName }>()

/** Objects of which the spec does not show every field: a field that is not known here is kept. */
export const openRegistry = z.registry<object>()

/** A string whose values come from a named set. Types alone are checked here: responses stay open. */
export const oneOf = (set: SetName) => z.string().register(setRegistry, { set })

export const optionalText = () => z.optional(z.string())
export const optionalBoolean = () => z.optional(z.boolean())
export const optionalOneOf = (set: SetName) => z.optional(oneOf(set))
/** A whole number of minor units, or another count. Safe integers only: beyond 2^53-1 a number is no longer exact. */
export const optionalInteger = () => z.optional(z.int())
export const minorUnits = (minimum: 0 | 1) => z.int().check(z.minimum(minimum))
/** An object that keeps what it does not know. */
export const looseObject = z.looseObject
/** One of those whose fields the spec does not show. */
export const openObject = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.looseObject(shape).register(openRegistry, {})
export const optionalObject = <T extends z.core.$ZodLooseShape>(shape: T) => z.optional(z.looseObject(shape))
export const optionalList = <T extends z.core.SomeType>(entry: T) => z.optional(z.array(entry))

/**
 * Of any size: 2^53 and many beyond are doubles too, though the next integer is none. With `abort`, since a union takes
 * the issue of a check that goes on for its own.
 */
const integer = () => z.number().check(z.refine(Number.isInteger, { abort: true }))

/** metadata of a create request: strings or integers only (spec 2, conventions; spec 8). */
export const createMetadata = () =>
  z.optional(z.record(z.string(), z.union([z.string(), integer(), z.bigint()])))
/** metadata elsewhere: any JSON value. */
export const metadata = () => z.optional(z.record(z.string(), z.unknown()))
