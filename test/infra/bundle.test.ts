import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundle, drawing, expectedFunctions, readingTexts } from '../../infra/bundle.ts'
import { forModels, forPages, forTexts, packForLambda } from '../../infra/lambda-assets.ts'

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

describe('bundles', () => {
  let directories: Map<string, string>
  beforeAll(async () => {
    directories = await bundle()
  }, 300_000)

  test('those that answer requests stay small, so that they start fast', async () => {
    for (const [name, directory] of directories) {
      if (name.startsWith('pipeline.')) continue
      const { size } = await stat(join(directory, 'index.js'))
      // These reach data sources, with the drivers of databases.
      const most = ['sources.test', 'sources.preview', 'sources.discover', 'jobs.load'].includes(name)
        ? 6_000_000
        : 2_100_000
      // These replace values, or undo it; look for names, towns and streets by the lists of surrogates; and tell languages.
      const replacing = ['rules.test', 'texts.anonymise', 'mcp.call', 'reidentifications.open']
      // This speaks the Model Context Protocol besides.
      const spoken = name === 'mcp.call' ? 540_000 : 0
      if (['assets.page', 'assets.columns'].includes(name)) continue
      const allowed = (replacing.includes(name) ? 4_400_000 : most) + spoken
      expect([name, size < allowed]).toEqual([name, true])
    }
  })

  test('start without undici, which loads where node:http is imported', async () => {
    for (const [name, directory] of directories) {
      const code = await readFile(join(directory, 'index.js'), 'utf8')
      expect([name, /await import\("node:http"\),\{Agent/.test(code)]).toEqual([name, false])
    }
  })

  test('on a laptop those that run in the same threads share packages, and others do not', async () => {
    for (const [name, directory] of await bundle({ shared: true })) {
      const file = join(directory, 'index.js')
      const shared = [...(await readFile(file, 'utf8')).matchAll(/require\("(\.\.\/packages\/[^"]+)"\)/g)]
      const isOwn = ['pipeline.worker', 'pipeline.transfer'].includes(name)
      expect([name, shared.length > 0]).toEqual([name, !isOwn])
      for (const [, path] of shared) expect([path, existsSync(join(directory, path!))]).toEqual([path, true])
    }
  })

  test('the function that tries rules goes to Lambda with the models and what runs them, and no more', async () => {
    const packed = await packForLambda(directories.get('rules.test')!, forModels)
    const files = globSync('**/*', { cwd: packed }).map(file => file.replaceAll('\\', '/'))
    expect(files).toEqual(expect.arrayContaining(['index.js', 'models/pii-ner/1.0.0/onnx/model_quantized.onnx']))
    expect(files.filter(file => /node_modules\/[^/@]+$/.test(file))).toEqual(
      forModels.map(name => `node_modules/${name}`).toSorted(),
    )
  })

  test('the function that shows files goes to Lambda with what draws them, reads no pictures and runs no models', async () => {
    const away = await mkdtemp(join(tmpdir(), 'pages-'))
    try {
      await cp(await packForLambda(directories.get('assets.page')!, forPages), away, { recursive: true })
      const files = globSync('**/*', { cwd: away }).map(file => file.replaceAll('\\', '/'))
      expect(files.filter(file => /node_modules\/(@[^/]+\/)?[^/@]+$/.test(file)).toSorted()).toEqual(
        forPages.map(name => `node_modules/${name}`).toSorted(),
      )
      expect(files.filter(file => file.startsWith('models'))).toEqual([])
      expect((await stat(join(away, 'index.js'))).size).toBeLessThan(7_000_000)
      const drawing = `
        for (const code of ['@embedpdf/pdfium/pdfium.wasm', '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm']) require.resolve(code)
        console.log(typeof require('./index.js').handler)`
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', drawing], { cwd: away, env: {} })
      expect(stdout.trim()).toBe('function')
    } finally {
      await rm(away, { recursive: true })
    }
  })

  test('every function that reads texts goes to Lambda with the detector of encodings', async () => {
    const found: string[] = []
    for (const [name, directory] of directories) {
      const files = globSync('*.{js,mjs}', { cwd: directory })
      const texts = await Promise.all(files.map(file => readFile(join(directory, file), 'utf8')))
      if (texts.some(text => text.includes('chardetng_wasm_bg.wasm"'))) found.push(name)
    }
    expect(found.toSorted()).toEqual([...readingTexts, ...drawing, 'pipeline.worker'].toSorted())
    for (const name of readingTexts) {
      const packed = await packForLambda(directories.get(name)!, forTexts)
      expect(existsSync(join(packed, 'node_modules/chardetng-wasm/dist/chardetng_wasm_bg.wasm'))).toBe(true)
    }
  })

  test('the worker that goes to Lambda needs nothing of this project around it', async () => {
    const away = await mkdtemp(join(tmpdir(), 'worker-'))
    try {
      await cp(await packForLambda(directories.get('pipeline.worker')!), away, { recursive: true })
      const script = `
        for (const name of ['./worker-entry.mjs', './model-entry.mjs', 'onnxruntime-node', 'onnxruntime-common', 'tesseract.js']) require.resolve(name)
        console.log(typeof require('./index.js').handler)`
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: away, env: {} })
      expect(stdout.trim()).toBe('function')
      const files = globSync('**/*', { cwd: away })
      // Native code for the machine of Lambda and no other, and nothing that trained a model.
      expect(files.filter(file => /\.(node|so[.\d]*|dll|dylib)$/.test(file) && !file.includes('linux/arm64'))).toEqual(
        [],
      )
      expect(files.filter(file => /train/.test(file) && file.startsWith('models'))).toEqual([])
      const sizes = await Promise.all(files.map(async file => (await stat(join(away, file))).size))
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(240_000_000)
    } finally {
      await rm(away, { recursive: true })
    }
  })
})
