import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { type Bitmap, rgba } from '../../../shared/engine/formats/image/bitmap.ts'
import { encodePng } from '../../../shared/engine/formats/image/codecs.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { turned } from '../../../shared/engine/formats/image/orientation.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { drawnByPoppler, hasPoppler } from './pdf-poppler.ts'
import { allOf } from './picture-samples.ts'

const folder = join(import.meta.dirname, '../../../../shared/corpus/found')
const program = 'tesseract'
const ready = existsSync(folder) && spawnSync(program, ['--version']).error === undefined
if (!ready) console.log('skipped: the files that showed a fault or tesseract are not here')

/** What Tesseract's own program reads in a picture that is turned by an orientation (1 to 8) first. */
async function seen(picture: Bitmap, orientation = 1): Promise<string> {
  const input = await encodePng(turned(picture, orientation))
  return spawnSync(program, ['-', '-', '--dpi', '200'], { input, encoding: 'utf8' }).stdout
}

const decoded = async (bytes: Uint8Array, id: string): Promise<Bitmap> => (await allOf(kindOf(id).decode(bytes)))[0]!

/** The first page as poppler draws it. */
function drawn(pdf: Uint8Array): Bitmap {
  const [page] = drawnByPoppler(pdf, 200)
  return rgba({ ...page!, channels: 1 })
}

const run = async (name: string) => {
  const rules = [regexRule('name', 'Margaret|Johnson', { flags: 'i', replacement: { text: '[N]' } })]
  const input = bufferInput(name, readFileSync(join(folder, name)))
  const { output, findings } = await anonymise(call({ input, rules }))
  return { bytes: await output.read(0, output.size), count: findings[0]!.count }
}

describe.skipIf(!ready || !hasPoppler)('pictures that showed a fault', { timeout: 240_000 }, () => {
  test.each([
    ['09-png-10px.png', 'png', 6, 'has not been renewed|device'],
    ['09-png-13px.png', 'png', 6, 'has not been renewed'],
    ['09-png-14px.png', 'png', 6, 'has not been renewed'],
    ['19-jpg-cmyk.jpg', 'jpg', 2, '\\[N.'],
  ])('%s', async (name, id, count, kept) => {
    const { bytes, count: found } = await run(name)
    expect(found).toBe(count)
    const text = await seen(await decoded(bytes, id))
    expect(text).not.toMatch(/margaret|johnson/i)
    expect(text).toMatch(new RegExp(kept))
  })

  test.each([
    ['08-pdf-idcard-150pt.pdf', 2, 1, 'ANNE'],
    ['08-pdf-scan-turned90.pdf', 6, 6, 'property management'],
    ['08-pdf-scan-turned180.pdf', 6, 3, 'property management'],
    ['08-pdf-image-rotated.pdf', 2, 6, '\\[N.\\s+\\[N.'],
  ])('%s', async (name, count, orientation, kept) => {
    const { bytes, count: found } = await run(name)
    expect(found).toBe(count)
    const text = await seen(drawn(bytes), orientation)
    expect(text).not.toMatch(/margaret|johnson/i)
    expect(text).toMatch(new RegExp(kept))
  })

  test.each(['17-svg-picture.svg', '17-md-picture.md', '17-ipynb-picture.ipynb'])('%s', async name => {
    const { bytes, count } = await run(name)
    expect(count).toBe(2)
    const [base64] = /iVBORw0KGgo[\w+/=]*/.exec(Buffer.from(bytes).toString()) ?? []
    const text = await seen(await decoded(Buffer.from(base64!, 'base64'), 'png'))
    expect(text.trim()).toBe('[N] [N]')
  })

  test('10-png-alpha.png', async () => {
    const { bytes } = await run('10-png-alpha.png')
    const page = await decoded(bytes, 'png')
    expect(page.data.every((value, at) => at % 4 === 3 || value === 0)).toBe(true)
  })

  test('19-tiff-hang.tif', async () => {
    await expect(run('19-tiff-hang.tif')).rejects.toMatchObject({ type: 'unsupported_format' })
  })
})
