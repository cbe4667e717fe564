import type { CommandSpec, Tree } from './spec.ts'

/** The words of every command, in the order of the tree. */
export async function allCommands(tree: Tree): Promise<readonly CommandSpec[]> {
  const loads = Object.values(tree).flatMap(({ verbs, load }) => [
    ...Object.values(verbs ?? {}),
    ...(load === undefined ? [] : [load]),
  ])
  const loaded = await Promise.all(loads.map((load) => load()))
  return loaded.map(({ command }) => command)
}
