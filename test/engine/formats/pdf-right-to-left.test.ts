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

test.each(['صلاح', 'علاء', 'لا', 'سلالا'])(
  'letters that a font draws as one keep their order, in whichever order the others are written: %s',
  async word => {
    const shown = word.split('لا').map(backwards).reverse().join('لا')
    for (const leftwards of [false, true]) {
      const reader = await openReader(await makePdf([leftwards ? word : shown], { leftwards, ligature: 'لا' }))
      expect(readPage(reader, 0).text.trim()).toBe(word)
      reader.close()
    }
  },
)

test.each([
  ['\ufefb', 'لا'],
  ['\ufccb', 'لخ'],
])('a ligature that is a character of its own is read as its letters: %s', async (ligature, letters) => {
  expect(await read(`ط${ligature}ا`, false)).toBe(`ا${letters}ط`)
})

test.each([
  ['two words', 'הפ Sarah Connor רג', 'גר Sarah Connor פה'],
  ['an address', 'הפ ,sarah.connor@example.org ראוד ונל שי', 'יש לנו דואר sarah.connor@example.org, פה'],
  ['letters and numbers', 'הפ DE89 3704 0044 0532 ןובשח', 'חשבון DE89 3704 0044 0532 פה'],
  ['words from right to left', 'The customer ןהכ דוד lives here', 'The customer דוד כהן lives here'],
  ['a number between them', 'We may now pay הפיח 054-12 ביבא לת at once', 'We may now pay תל אביב 054-12 חיפה at once'],
  ['digits of Arabic', '٢١/٠٥ خيرات ٠٥٠١٢٣٤ فتاه', 'هاتف ٠٥٠١٢٣٤ تاريخ ٢١/٠٥'],
  ['digits of Persian', '۰۹۱۲۳۴۵ نفلت', 'تلفن ۰۹۱۲۳۴۵'],
  ['numbers alone', '4111 1111 2222 סיטרכ', 'כרטיס 2222 1111 4111'],
  ['a mark behind a sign', '.\u064bارذع', 'عذرا\u064b.'],
])('a line that mixes directions is read in the order of each: %s', async (_, shown, text) => {
  expect(await read(shown, false)).toBe(text)
})
