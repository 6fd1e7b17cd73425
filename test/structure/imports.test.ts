import { globSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rooms, violations } from '../../docs/structure.ts'

/** A file in a room, some folders deep: the depth of an import must not matter. */
const fileIn = (path: string) => (path.endsWith('.ts') ? path : `${path}/some/deep/folder/planted.ts`)

/** An import of a room as it is written: by the name of its package, or by its path. */
const importing = (from: string, to: string, name?: string) =>
  `import { planted } from '${name ?? relative(dirname(from), to).replace(/^(?!\.)/, './')}'`

describe('directions of imports', () => {
  test('every file of ours keeps to them', () => {
    const files = globSync('{shared,functions,infra,local}/**/*.{ts,mjs}')
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap(file => violations(file, readFileSync(file, 'utf8')))).toEqual([])
  })

  test('rooms stand on those before them only', () => {
    rooms.forEach(({ imports }, index) => {
      const below = rooms.slice(0, index).map(({ path }) => path)
      expect(imports.filter(path => !below.includes(path))).toEqual([])
    })
  })

  test.each(rooms)('what $path may not import is refused, at any depth', room => {
    const from = fileIn(room.path)
    for (const other of rooms) {
      if (other === room) continue
      const planted = violations(from, importing(from, fileIn(other.path), other.package))
      expect(planted, other.path).toHaveLength(room.imports.includes(other.path) ? 0 : 1)
    }
    for (const other of rooms.filter(({ package: name }) => name && name !== room.package))
      expect(violations(from, importing(from, fileIn(other.path))), 'by path').toHaveLength(1)
    const outside = violations(from, importing(from, 'test/engine/call.ts'))
    expect(outside).toHaveLength(1)
  })

  test.each(rooms.filter(({ without, packages }) => without || packages))('packages refused to $path', room => {
    const from = fileIn(room.path)
    for (const name of room.without ?? ['left-pad']) {
      expect(violations(from, `import { x } from '${name}x'`), name).toHaveLength(1)
      expect(violations(from, `const x = await import('${name}x')`), name).toHaveLength(1)
    }
  })
})
