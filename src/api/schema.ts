import * as z from 'zod/mini'
import type { SetName } from './sets.ts'

export { z }

/** A schema built on first use: building one takes about half a millisecond, and a command needs only two or three. */
export type Schema<Output = unknown> = () => z.ZodMiniType<Output>

/** Builds a schema once, at first use. */
export function lazySchema<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined
  return () => (built ??= { value: build() }).value
}

/** The parsed shape of a lazily built schema. */
export type Shape<S extends () => z.ZodMiniType> = z.infer<ReturnType<S>>

/** The named set of a string schema; read by `unknown-fields.ts`. */
export const setRegistry = z.registry<{ readonly set: SetName }>()

/** Objects whose fields the spec does not list completely. */
export const openRegistry = z.registry<object>()

/** A string from a named set. Accepts any string, because responses stay open. */
export const oneOf = (set: SetName) => z.string().register(setRegistry, { set })

export const nonEmptyText = () => z.string().check(z.minLength(1))
export const optionalText = () => z.optional(z.string())
export const optionalBoolean = () => z.optional(z.boolean())
export const optionalOneOf = (set: SetName) => z.optional(oneOf(set))
/** An amount in minor units or another count. Only safe integers: larger numbers are not exact. */
export const optionalInteger = () => z.optional(z.int())
export const minorUnits = (minimum: 0 | 1) => z.int().check(z.minimum(minimum))
/** An object that keeps unknown fields. */
export const looseObject = z.looseObject
/** An object whose fields the spec does not list completely. */
export const openObject = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.looseObject(shape).register(openRegistry, {})
export const optionalObject = <T extends z.core.$ZodLooseShape>(shape: T) => z.optional(z.looseObject(shape))
export const optionalList = <T extends z.core.SomeType>(entry: T) => z.optional(z.array(entry))

/** An integer of any size. `abort` keeps a failed check from becoming an issue of the union around it. */
const integer = () => z.number().check(z.refine(Number.isInteger, { abort: true }))

/** Metadata that holds only strings and integers: of create requests (spec 2, conventions; spec 8) and of records. */
export const plainMetadata = () =>
  z.optional(z.record(z.string(), z.union([z.string(), integer(), z.bigint()])))
/** Metadata of other requests and of responses, with any JSON values. */
export const metadata = () => z.optional(z.record(z.string(), z.unknown()))
