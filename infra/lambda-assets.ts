import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { root } from './source-hash.ts'

/**
 * What the worker carries besides its bundle, because it can't be bundled: WebAssembly, native addons, data. Names are
 * those of packages, patterns those of the files taken from them; paths stay, so that they are resolved as ever.
 */
const shipped: Record<string, readonly string[]> = {
  '@embedpdf/pdfium': ['package.json', 'dist/pdfium.wasm'],
  '@jsquash/jpeg': ['package.json', 'codec/*/*.wasm'],
  '@jsquash/png': ['package.json', 'codec/pkg/*.wasm'],
  '@jsquash/webp': ['package.json', 'codec/*/*.wasm'],
  'chardetng-wasm': ['package.json', 'dist/chardetng_wasm_bg.wasm'],
  // Every language that is installed; English is.
  ...Object.fromEntries(
    readdirSync(join(root, 'node_modules/@tesseract.js-data')).map(language => [
      `@tesseract.js-data/${language}`,
      ['package.json', '4.0.0_best_int/*'],
    ]),
  ),
  // Tesseract runs in a thread of its own, which starts from these files.
  'tesseract.js': ['package.json', 'src/**/*.js'],
  'tesseract.js-core': ['package.json', 'tesseract-core{,-simd,-relaxedsimd}.{js,wasm}'],
  // Lambda's machine only: with those of all others the package is larger than Lambda takes.
  'onnxruntime-node': ['package.json', 'dist/*.js', 'bin/napi-v6/linux/arm64/*'],
  'onnxruntime-common': ['package.json', 'dist/cjs/**'],
  'bmp-js': ['package.json', '**/*.js'],
  'is-url': ['package.json', 'index.js'],
  'regenerator-runtime': ['package.json', '*.js'],
  'wasm-feature-detect': ['package.json', 'dist/cjs/*'],
}

/** Packages that are imported from there instead of being bundled. */
export const unbundled: readonly string[] = ['onnxruntime-node', 'tesseract.js']

/** The packages of those that run models, which is all that a function without formats needs. */
export const forModels: readonly string[] = ['onnxruntime-node', 'onnxruntime-common']

/** What tells the encodings of texts. */
export const forTexts: readonly string[] = ['chardetng-wasm']

/** The packages that draw pages and pictures, and read texts. */
export const forPages: readonly string[] = [
  '@embedpdf/pdfium',
  '@jsquash/jpeg',
  '@jsquash/png',
  '@jsquash/webp',
  ...forTexts,
]

/** Folders of the repository that the worker finds beside its bundle, and the files of them that Lambda gets. */
const folders: Record<string, string> = { models: '*/[0-9]*/**' }

/** Lets a bundle on this machine find the folders where they are; packages it finds by itself. */
export async function link(folder: string): Promise<void> {
  for (const name of Object.keys(folders)) {
    if (existsSync(join(root, name))) await symlink(join(root, name), join(folder, name), 'junction')
  }
}

/**
 * Makes a folder for Lambda from that of a bundle: with the packages named, by default everything that the worker needs
 * besides, for Linux on arm64, and the models where it can run them. Nothing is done where that was done before.
 */
export async function packForLambda(
  folder: string,
  packages: readonly string[] = Object.keys(shipped),
): Promise<string> {
  const packed = `${folder}-lambda`
  if (existsSync(packed)) return packed
  const unfinished = `${packed}-${randomUUID()}`
  await cp(folder, unfinished, {
    recursive: true,
    filter: path => !Object.keys(folders).includes(relative(folder, path)),
  })
  for (const name of packages) {
    await copyFiles(join(root, 'node_modules', name), shipped[name]!, join(unfinished, 'node_modules', name))
  }
  const runsModels = forModels.every(name => packages.includes(name))
  for (const [name, pattern] of runsModels ? Object.entries(folders) : []) {
    if (existsSync(join(root, name))) await copyFiles(join(root, name), [pattern], join(unfinished, name))
  }
  await publish(unfinished, packed)
  return packed
}

async function copyFiles(from: string, patterns: readonly string[], to: string) {
  for (const pattern of patterns) {
    const files = globSync(pattern, { cwd: from }).filter(file => statSync(join(from, file)).isFile())
    if (files.length === 0) throw new Error(`${from} has no ${pattern}, which the worker needs`)
    for (const file of files) {
      await mkdir(dirname(join(to, file)), { recursive: true })
      await cp(join(from, file), join(to, file))
    }
  }
}

/** Gives a finished directory its name; another process may have been faster with the same contents. */
export async function publish(unfinished: string, directory: string): Promise<void> {
  try {
    await rename(unfinished, directory)
  } catch (error) {
    await rm(unfinished, { recursive: true })
    if (!existsSync(directory)) throw error
  }
}
