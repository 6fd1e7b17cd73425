import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { encodePng } from '../../../shared/engine/formats/image/codecs.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { turned } from '../../../shared/engine/formats/image/orientation.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

const folder = join(import.meta.dirname, '../../../../shared/corpus/found')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const ready = existsSync(folder) && has('tesseract') && has('pdftoppm')
if (!ready) console.log('skipped: the files that showed a fault, tesseract or poppler are not here')

/** What Tesseract's own program reads in a picture, turned by an orientation (1 to 8) first. */
async function seen(bytes: Uint8Array, id: string, orientation = 1): Promise<string> {
  const [page] = await kindOf(id).decode(bytes)
  const upright = await encodePng(turned(page!, orientation))
  return spawnSync('tesseract', ['-', '-', '--dpi', '200'], { input: upright, encoding: 'utf8' }).stdout
}

const drawn = (pdf: Uint8Array): Buffer =>
  spawnSync('pdftoppm', ['-r', '200', '-png', '-singlefile', '-'], { input: pdf, maxBuffer: 1e9 }).stdout

const run = async (name: string) => {
  const rules = [regexRule('name', 'Margaret|Johnson', { flags: 'i', replacement: { text: '[N]' } })]
  const input = bufferInput(name, readFileSync(join(folder, name)))
  const { output, findings } = await anonymise(call({ input, rules }))
  return { bytes: await output.read(0, output.size), count: findings[0]!.count }
}

describe.skipIf(!ready)('pictures that showed a fault', { timeout: 240_000 }, () => {
  test.each([
    ['09-png-10px.png', 'png', 6, 'has not been renewed|device'],
    ['09-png-13px.png', 'png', 6, 'has not been renewed'],
    ['09-png-14px.png', 'png', 6, 'has not been renewed'],
    ['19-jpg-cmyk.jpg', 'jpg', 2, ''],
  ])('%s', async (name, id, count, kept) => {
    const { bytes, count: found } = await run(name)
    expect(found).toBe(count)
    const text = await seen(bytes, id)
    expect(text).not.toMatch(/margaret|johnson/i)
    expect(text).toMatch(new RegExp(kept))
  })

  test.each([
    ['08-pdf-idcard-150pt.pdf', 2, 1, 'ANNE'],
    ['08-pdf-scan-turned90.pdf', 6, 6, 'property management'],
    ['08-pdf-scan-turned180.pdf', 6, 3, 'property management'],
    ['08-pdf-image-rotated.pdf', 2, 6, ''],
  ])('%s', async (name, count, orientation, kept) => {
    const { bytes, count: found } = await run(name)
    expect(found).toBe(count)
    const text = await seen(drawn(bytes), 'png', orientation)
    expect(text).not.toMatch(/margaret|johnson/i)
    expect(text).toMatch(new RegExp(kept))
  })

  test('10-png-alpha.png', async () => {
    const { bytes } = await run('10-png-alpha.png')
    const [page] = await kindOf('png').decode(bytes)
    expect(page!.data.every((value, at) => at % 4 === 3 || value === 0)).toBe(true)
  })

  test('19-tiff-hang.tif', async () => {
    await expect(run('19-tiff-hang.tif')).rejects.toMatchObject({ type: 'unsupported_format' })
  })
})
