import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { makeDocx } from '../test/engine/formats/package.ts'
import { encoded, usualPage } from './dense-page.ts'
import { lettersOf } from './letters-set.ts'
import { makeXlsx, rowOf } from './table-makers.ts'

/** A file to measure with: whether it is quick or slow to work on for its size, among files of its kind. */
export type Sample = { kind: string; name: string; content: Uint8Array }

/** The lines of letters in eight languages. */
const lines = [...lettersOf()].flatMap(({ text }) => text.split('\n')).filter(line => line.trim() !== '')

/** So many characters of letters, each line with a number, so that none is read twice. */
function letters(characters: number): string[] {
  const chosen: string[] = []
  for (let size = 0, n = 0; size < characters; n++)
    size += chosen[chosen.push(`${n} ${lines[n % lines.length]}`) - 1]!.length
  return chosen
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

async function pdf(characters: number, picture?: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  if (picture) document.addPage([595, 842]).drawImage(await document.embedJpg(picture), { width: 595, height: 842 })
  else {
    const all = letters(characters).map(line => line.replace(/[^\x20-\x7e]/g, '?'))
    for (let at = 0; at < all.length; at += 45) {
      const page = document.addPage([595, 842])
      for (const [n, line] of all.slice(at, at + 45).entries())
        page.drawText(line, { x: 40, y: 800 - 17 * n, size: 8, font })
    }
  }
  return document.save()
}

async function workbook(rows: number): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'estimate-'))
  try {
    await makeXlsx(join(folder, 'a.xlsx'), rows)
    return readFileSync(join(folder, 'a.xlsx'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Files of each kind that estimates tell apart, of about so many characters; `pages` where text is recognised. */
export async function samples(characters: number): Promise<Sample[]> {
  const text = letters(characters)
  const body = text.map(line => `<w:p><w:r><w:t>${escaped(line)}</w:t></w:r></w:p>`).join('')
  const rows = Array.from({ length: characters / 70 }, (_, n) => rowOf(n))
  const prose = text.map((line, n) => `${n};"${line.replaceAll('"', "'")}"\n`).join('')
  const scan = await encoded('jpg', await usualPage())
  const encoder = new TextEncoder()
  return [
    { kind: 'text', name: 'letters.txt', content: encoder.encode(text.join('\n')) },
    {
      kind: 'text',
      name: 'letters.html',
      content: encoder.encode(`<html><body>${text.map(line => `<p>${escaped(line)}</p>`).join('\n')}</body></html>`),
    },
    {
      kind: 'table',
      name: 'people.csv',
      content: encoder.encode(`id,name,email,phone,since,remark\n${rows.map(row => `${row.join(',')}\n`).join('')}`),
    },
    { kind: 'table', name: 'notes.csv', content: encoder.encode(`id;note\n${prose}`) },
    { kind: 'office', name: 'letters.docx', content: makeDocx(body) },
    { kind: 'workbook', name: 'people.xlsx', content: await workbook(rows.length) },
    { kind: 'pdf', name: 'letters.pdf', content: await pdf(characters) },
    { kind: 'pdf', name: 'scan.pdf', content: await pdf(0, scan) },
    { kind: 'picture', name: 'scan.jpg', content: scan },
  ]
}
