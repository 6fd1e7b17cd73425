import { invalid } from '../aws/errors.ts'
import { openLexer, type Path, type Scope } from './lexer.ts'
import { as, attribute, type Item, setAttribute, type Value } from './value.ts'

/** The value at a place, undefined if there is none. */
export function valueAt(item: Item | undefined, path: Path): Value | undefined {
  let value: Value | undefined = { M: item ?? {} }
  for (const part of path) {
    value = typeof part === 'string' ? attribute(as(value, 'M'), part) : as(value, 'L')?.[part]
    if (!value) return undefined
  }
  return value
}

/** Refuses places of which one holds another, or that take one thing both for a map and for a list. */
export function refuseOverlaps(paths: Path[]): void {
  for (const [i, a] of paths.entries())
    for (const b of paths.slice(i + 1)) {
      const at = a.findIndex((part, depth) => part !== b[depth])
      if (at < 0 || at >= b.length)
        throw invalid('Two document paths overlap with each other; must remove or rewrite one of these paths')
      if (at > 0 && typeof a[at] !== typeof b[at])
        throw invalid('Two document paths conflict with each other; must remove or rewrite one of these paths')
    }
}

/** Reads a projection: places separated by commas. */
export function parseProjection(expression: string, scope: Scope): Path[] {
  const lexer = openLexer(expression, scope)
  const paths = [lexer.path()]
  while (lexer.take(',')) paths.push(lexer.path())
  lexer.end()
  refuseOverlaps(paths)
  return paths
}

interface Selection {
  all?: true
  parts: Map<string | number, Selection>
}

function pick(value: Value, selection: Selection): Value | undefined {
  if (selection.all) return value
  const list = as(value, 'L')
  const map = as(value, 'M')
  if (list) {
    const picked = [...selection.parts]
      .filter((entry): entry is [number, Selection] => typeof entry[0] === 'number' && entry[0] < list.length)
      .sort(([a], [b]) => a - b)
      .map(([at, inner]) => pick(list[at]!, inner))
      .filter(element => element !== undefined)
    return picked.length ? { L: picked } : undefined
  }
  if (!map) return undefined
  const picked: Item = {}
  for (const [name, inner] of selection.parts) {
    const found = typeof name === 'string' ? attribute(map, name) : undefined
    const kept = found && pick(found, inner)
    if (kept) setAttribute(picked, name as string, kept)
  }
  return Object.keys(picked).length ? { M: picked } : undefined
}

/** What of an item stands at the given places; the elements of lists move up. */
export function project(item: Item, paths: Path[]): Item {
  const root: Selection = { parts: new Map() }
  for (const path of paths) {
    let at = root
    for (const part of path) {
      const inner = at.parts.get(part) ?? { parts: new Map() }
      at.parts.set(part, inner)
      at = inner
    }
    at.all = true
  }
  return as(pick({ M: item }, root), 'M') ?? {}
}
