import { type FileHandle, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { folderStore } from '../../shared/sources/objects/folder.ts'

// Somebody who swaps a folder for a link at the worst moments: while a file is opened, and each time it is looked at later.
const swapped = vi.hoisted(() => ({ in: async () => {}, out: async () => {} }))
vi.mock('node:fs/promises', async importOriginal => {
  const fs = await importOriginal<typeof import('node:fs/promises')>()
  const during =
    <Asked extends unknown[], Told>(act: (...asked: Asked) => Promise<Told>) =>
    async (...asked: Asked): Promise<Told> => {
      await swapped.in()
      try {
        return await act(...asked)
      } finally {
        await swapped.out()
      }
    }
  return { ...fs, open: during(fs.open as (...asked: unknown[]) => Promise<FileHandle>), lstat: during(fs.lstat) }
})

test.skipIf(process.platform !== 'linux')('a file behind a folder that is swapped for a link is not read', async () => {
  const base = await mkdtemp(join(tmpdir(), 'local-swap-'))
  const [root, folder, aside, outside] = ['root', 'root/folder', 'aside', 'outside'].map(name => join(base, name))
  try {
    await mkdir(folder!, { recursive: true })
    await mkdir(outside!)
    await writeFile(join(folder!, 'a.txt'), 'mine')
    await writeFile(join(outside!, 'a.txt'), 'secret')
    const read = async () => text(await folderStore(root!).read('folder/a.txt', 0, new AbortController().signal))
    expect(await read()).toBe('mine')
    swapped.in = async () => {
      await rename(folder!, aside!)
      await symlink(outside!, folder!)
    }
    swapped.out = async () => {
      await rm(folder!)
      await rename(aside!, folder!)
    }
    await expect(read()).rejects.toMatchObject({ type: 'source_not_found' })
  } finally {
    await rm(base, { recursive: true })
  }
})
