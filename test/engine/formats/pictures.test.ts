import { afterAll } from 'vitest'
import type { Bitmap } from '../../../shared/engine/formats/image/bitmap.ts'
import { encodeWebp } from '../../../shared/engine/formats/image/codecs.ts'
import { images } from '../../../shared/engine/formats/image/index.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { forReading } from '../../../shared/engine/formats/image/ocr-bitmap.ts'
import { pictureText } from '../../../shared/engine/formats/pdf/pictures/pictures.ts'
import { startOcr } from '../../../shared/engine/ocr/ocr.ts'
import { allOf, typedBitmap } from './picture-samples.ts'
import { formatSuite } from './suite.ts'

/** Letters that the typewriter of the samples has. */
const typed = (text: string) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '')

/** What reads outputs, started once. */
let ocr: ReturnType<typeof startOcr> | undefined
afterAll(async () => (await ocr)?.close())

for (const format of images) {
  const kind = kindOf(format.id)
  // Without loss, so that a picture written again is read as before.
  const encode = (page: Bitmap) =>
    format.id === 'webp' ? encodeWebp(page, 'lossless') : kind.encode([page], new Uint8Array())
  formatSuite(format, {
    name: `sample.${format.id}`,
    make: async texts => encode(await typedBitmap(texts.map(typed))),
    // What a reader of pictures sees: labels are legible, and letters beside them are whole.
    show: async bytes => {
      ocr ??= startOcr(['eng'], new AbortController().signal)
      const texts: string[] = []
      for (const page of await allOf(kind.decode(bytes))) {
        const picture = forReading(page, undefined)
        texts.push(...pictureText(await (await ocr).read(picture), picture).text.split('\n'))
      }
      return texts
    },
    untouched: 'text',
    refused: [
      {
        name: 'a header with nothing behind it',
        bytes: async () => (await encode(await typedBitmap(['text']))).subarray(0, 40),
        type: 'corrupt_file',
      },
    ],
  })
}
