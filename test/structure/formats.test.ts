import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const all = 'shared/engine/formats'

/** Folders of what several formats share. */
const common = ['cells', 'container', 'office', 'text', 'zip']

const folders = readdirSync(all, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !common.includes(entry.name))
  .map(({ name }) => name)

test.each(folders)('%s has the rooms of a format', folder => {
  const rooms = ['index.ts', 'read.ts', 'verify.ts', 'README.md']
  expect(rooms.filter(file => !existsSync(`${all}/${folder}/${file}`))).toEqual([])
})

test('every format is looked at', () => {
  expect(folders.length).toBeGreaterThanOrEqual(15)
  expect(common.filter(folder => !existsSync(`${all}/${folder}`))).toEqual([])
})
