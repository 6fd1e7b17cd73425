import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectedFunctions } from '../../infra/bundle.ts'

const root = join(import.meta.dirname, '../..')

describe('functions', () => {
  test.each([...expectedFunctions()])('%s has its file', (_, file) => {
    expect(existsSync(join(root, file))).toBe(true)
  })

  test('holds nothing that is neither declared nor part of the pipeline', () => {
    const files = globSync('functions/*/*.ts', { cwd: root }).map(file => file.replaceAll('\\', '/'))
    const expected = new Set(expectedFunctions().values())
    expect(files.filter(file => !expected.has(file))).toEqual([])
  })
})
