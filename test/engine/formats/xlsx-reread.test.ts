import { expect, test } from 'vitest'
import { rereadSheet } from '../../../shared/engine/formats/ooxml/verify-sheet.ts'

const head = '<?xml version="1.0"?><x:worksheet xmlns:x="m"><x:cols a="ä"/><x:sheetData>'
const tail = '</x:sheetData><x:hyperlinks><x:hyperlink tooltip="日本"/></x:hyperlinks></x:worksheet>'
const rows =
  '<x:row r="1"><x:c t="str"><x:f>MAX(A2)&amp;"of b"</x:f><x:v>é &amp; b</x:v></x:c><x:c><x:v>5</x:v></x:c></x:row>'

/** What the second reader tells of a sheet that comes in pieces of this many bytes. */
async function told(source: string, size: number) {
  const bytes = Buffer.from(source)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const heard = { cells: [] as string[], hidden: [] as string[], around: '' }
  await rereadSheet(
    pieces(),
    { strings: [], dates: [], from1904: false },
    {
      cell: text => void heard.cells.push(text),
      hidden: text => void heard.hidden.push(text),
      around(text) {
        heard.around += text
      },
    },
  )
  return heard
}

test.each([1, 2, 7, 64, 1000])('a sheet in pieces of %d bytes is read whole', async size => {
  expect(await told(head + rows + tail, size)).toEqual({
    cells: ['é & b', '5'],
    hidden: ['()&"of b"'],
    around: head + tail,
  })
  const empty = '<worksheet><sheetData/><pageSetup id="ä"/></worksheet>'
  expect((await told(empty, size)).around).toBe(empty)
})

test('rows in two places and rows that never end are no sheet', async () => {
  await expect(
    told(head + rows + tail.replace('</x:worksheet>', '<sheetData></sheetData></x:worksheet>'), 64),
  ).rejects.toThrow()
  await expect(told(head + rows, 64)).rejects.toThrow()
})

test.each(['<x:c><x:v>1</x:c></x:c>', '</x:c><x:c>', '<x:c><x:c></x:c></x:c>'])('%s is no cell', async cells => {
  await expect(told(`${head}<x:row>${cells}</x:row>${tail}`, 64)).rejects.toThrow(/not well-formed|too early/)
})
