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
  '@jsquash/jpeg': ['package.json', 'codec/*/*.wasm'],
  '@jsquash/png': ['package.json', 'codec/pkg/*.wasm'],
  '@jsquash/webp': ['package.json', 'codec/*/*.wasm'],
  '@tesseract.js-data/eng': ['package.json', '4.0.0_best_int/*'],
  // Tesseract runs in a thread of its own, which starts from these files.
  'tesseract.js': ['package.json', 'src/**/*.js'],
  'tesseract.js-core': ['package.json', 'tesseract-core{,-simd,-relaxedsimd}.{js,wasm}'],
  'bmp-js': ['package.json', '**/*.js'],
  'is-url': ['package.json', 'index.js'],
  'regenerator-runtime': ['package.json', '*.js'],
  'wasm-feature-detect': ['package.json', 'dist/cjs/*'],
}

/** Packages that are imported from there instead of being bundled. */
export const unbundled: readonly string[] = ['tesseract.js']

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
