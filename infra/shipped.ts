import { globSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './sources.ts'

/**
 * What the worker carries besides its bundle, because it can't be bundled: WebAssembly, native addons, data. Names are
 * those of packages, patterns those of the files taken from them; paths stay, so that they are resolved as ever.
 */
const shipped: Record<string, readonly string[]> = {
  '@embedpdf/pdfium': ['package.json', 'dist/pdfium.wasm'],
}

/** Packages that are imported from there instead of being bundled. */
export const unbundled: readonly string[] = []

/** Copies what the worker carries into the folder of its bundle. */
export async function ship(folder: string): Promise<void> {
  for (const [name, patterns] of Object.entries(shipped)) {
    const from = join(root, 'node_modules', name)
    const files = globSync([...patterns], { cwd: from })
    if (files.length === 0) throw new Error(`${name} has none of the files that the worker needs`)
    for (const file of files) {
      const to = join(folder, 'node_modules', name, file)
      await mkdir(dirname(to), { recursive: true })
      await cp(join(from, file), to, { recursive: true })
    }
  }
}
