import { execFileSync } from 'node:child_process'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { mutant } from '../mutant.ts'
import { makeDocx, makeOdf, makeOffice, makeZip, readZip, relationships } from './package.ts'

/** An archive whose parts in XML are in an encoding, and declare it. */
function recoded(archive: Buffer, encoding: string): Buffer {
  const content = (name: string, bytes: Buffer) => {
    if (!/\.(?:xml|rels)$/.test(name)) return bytes
    const text = bytes.toString().replace(/^<\?xml[^>]*\?>\n?/, '')
    return iconv.encode(`<?xml version="1.0" encoding="${encoding}"?>\n${text}`, encoding)
  }
  const entries = [...readZip(archive)].map(([name, bytes]) => ({ name, content: content(name, bytes) }))
  return makeZip(entries.map(entry => ({ ...entry, store: entry.name === 'mimetype' })))
}

function workbook(text: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>${text}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`,
  })
}

const kinds: [string, (text: string) => Buffer][] = [
  ['a.docx', text => makeDocx(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)],
  ['a.xlsx', workbook],
  ['a.odt', text => makeOdf('text', `<text:p>${text}</text:p>`)],
  [
    'a.ods',
    text =>
      makeOdf(
        'spreadsheet',
        `<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`,
      ),
  ],
]

const rules = [regexRule('X', 'Иван Петров|Zoë Müller', { replacement: { text: 'Ł' } })]

/** All texts of the parts of an archive, as the XML reader of Python reads them by what they declare. */
const texts = (archive: Uint8Array): string =>
  execFileSync(
    'python3',
    [
      '-c',
      'import io,sys,zipfile,xml.etree.ElementTree as E\nz=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))\nsys.stdout.buffer.write("\\n".join(t for n in z.namelist() if n.endswith((".xml",".rels")) for t in E.fromstring(z.read(n)).itertext()).encode())',
    ],
    { input: archive },
  ).toString()

describe.each([
  ['windows-1251', 'Иван Петров, и ещё'],
  ['KOI8-R', 'Иван Петров, и ещё'],
  ['ISO-8859-1', 'Zoë Müller, né à Orléans'],
  ['windows-1252', 'Zoë Müller, né à Orléans'],
  ['UTF-16', 'Иван Петров, né à Orléans'],
])('parts in %s', (encoding, text) => {
  test.each(kinds)('%s comes out as it declares, in UTF-8 unless that was UTF-16', async (name, make) => {
    const input = bufferInput(name, recoded(make(text), encoding))
    const { output, findings } = await anonymise(call({ input, rules }))
    const archive = Buffer.from(await output.read(0, output.size))
    const said = texts(archive)
    expect(said).toContain(text.replace(/^[^,]+/, 'Ł'))
    expect(said).not.toContain(text.slice(0, 4))
    expect(findings[0]!.count).toBeGreaterThan(0)
    if (encoding === 'UTF-16') return
    for (const [part, bytes] of readZip(archive))
      if (/\.xml$/.test(part)) expect(bytes.toString(), part).toMatch(/^<\?xml[^>]*encoding="UTF-8"/)
  })
})

test('what is not in what it declares is refused, and so is an output that declares something else', async () => {
  const run = mutant({ file: 'formats/office/recoded-parts.ts', from: ".replace(declaration, '$1UTF-8')", to: '' })
  for (const [name, make] of kinds) {
    const input = bufferInput(name, recoded(make('Иван Петров, и ещё'), 'windows-1251'))
    await expect((await run).anonymise(call({ input, rules })), name).rejects.toMatchObject({ type: 'leak_detected' })
    const wrong = Buffer.from(make('a\u0081').toString('latin1'), 'latin1')
    const bytes = [...readZip(wrong)].map(([part, content]) => ({
      name: part,
      content: content.toString('latin1').replace('UTF-8', 'EUC-KR').replace('a\xc2\x81', 'a\xff\xff') as string,
    }))
    const broken = makeZip(
      bytes.map(one => ({ ...one, content: Buffer.from(one.content, 'latin1'), store: one.name === 'mimetype' })),
    )
    await expect(anonymise(call({ input: bufferInput(name, broken), rules })), name).rejects.toMatchObject({
      type: 'corrupt_file',
    })
  }
})
