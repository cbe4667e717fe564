import type { Plugin } from 'rolldown'
import type { PlainShape } from '../src/api/plain-shape.ts'

export function plainShapes(root: string): Plugin
export function shapesOf(
  folder: string,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Exclude<PlainShape, 'no'>>>>
