import { expect, test } from 'vitest'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { readPage } from '../../../shared/engine/formats/pdf/text/page-text.ts'
import { makePdf } from './pdf-samples.ts'

const backwards = (text: string) => [...text].reverse().join('')

const read = async (text: string, leftwards: boolean): Promise<string> => {
  const reader = await openReader(await makePdf([text], { leftwards }))
  try {
    return readPage(reader, 0).text.trim()
  } finally {
    reader.close()
  }
}

test.each(['مرحبا', 'שלום', 'السلام', 'ܫܠܡܐ'])(
  'a word that goes from right to left is read so, in whichever order its letters are written: %s',
  async word => {
    expect(await read(backwards(word), false)).toBe(word)
    expect(await read(word, true)).toBe(word)
  },
)
