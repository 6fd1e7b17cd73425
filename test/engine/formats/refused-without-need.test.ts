import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOdf, makeOffice, makeZip, readZip, relationships } from './package.ts'

async function clean(name: string, bytes: Uint8Array) {
  const { output, report } = await anonymise(
    call({ input: bufferInput(name, bytes), rules: [regexRule('X', 'Zy\\w*')] }),
  )
  return { bytes: Buffer.from(await output.read(0, output.size)), dropped: report.dropped }
}

const body = '<w:p><w:r><w:t>Zyanne wrote</w:t></w:r></w:p>'
const documentOf = (bytes: Buffer) => readZip(bytes).get('word/document.xml')!.toString()

/** A document with something in front of its root element. */
function withProlog(prolog: string, text = body): Buffer {
  const files = readZip(makeDocx(text))
  const document = files.get('word/document.xml')!.toString().replace('<w:document', `${prolog}<w:document`)
  return makeZip(
    [...files].map(([name, content]) => ({ name, content: name === 'word/document.xml' ? document : content })),
  )
}

describe('Office files of unusual make', () => {
  test.each([1, 64, 60_000])('%d bytes behind the end of the archive are left out', async count => {
    const { bytes } = await clean('x.docx', Buffer.concat([makeDocx(body), Buffer.alloc(count, 'Zyx')]))
    expect(documentOf(bytes)).toContain('<w:t>[X] wrote</w:t>')
    expect(bytes.includes('Zyx')).toBe(false)
  })

  test.each([
    '<!DOCTYPE w:document>',
    `<!DOCTYPE d PUBLIC "-//A//B" 'http://a.example/d.dtd'>`,
    '<!DOCTYPE d [ <!ENTITY e SYSTEM "http://a.example/"> <!ENTITY f "Zyx"> ]>',
  ])('%s goes and is reported', async prolog => {
    const { bytes, dropped } = await clean('x.docx', withProlog(prolog))
    expect(documentOf(bytes)).not.toMatch(/DOCTYPE|Zy/)
    expect(dropped).toEqual([{ what: 'document type declarations', count: 1 }])
  })

  test.each([
    ['that gives attributes', withProlog('<!DOCTYPE d [ <!ATTLIST w:p a CDATA "Zyx"> ]>')],
    ['whose entity is used', withProlog('<!DOCTYPE d [ <!ENTITY e "Zyx"> ]>', '<w:p><w:r><w:t>&e;</w:t></w:r></w:p>')],
  ])('a declaration %s is refused', async (_, bytes) => {
    await expect(clean('x.docx', bytes)).rejects.toMatchObject({ type: 'corrupt_file' })
  })

  test.each(['another entry first', 'a packed type'])('an OpenDocument file with %s is read', async what => {
    const entries = [...readZip(makeOdf('text', '<text:p>Zyanne wrote</text:p>'))].map(([name, content]) => ({
      name,
      content,
    }))
    const { bytes } = await clean('x.odt', makeZip(what === 'a packed type' ? entries : entries.reverse()))
    expect(readZip(bytes).get('content.xml')!.toString()).toContain('<text:p>[X] wrote</text:p>')
    // Written as the format wants it: the type first, and not packed.
    expect(bytes.toString('latin1', 30, 80)).toMatch(/^mimetypeapplication\/vnd\.oasis\.opendocument\.text/)
  })

  test.each([
    ['odt', 'text', '<text:p>Zyanne wrote</text:p>'],
    [
      'ods',
      'spreadsheet',
      '<table:table table:name="S"><table:table-row><table:table-cell><text:p>Zyanne</text:p></table:table-cell></table:table-row></table:table>',
    ],
  ])('an .%s that does not state its type has none later either', async (extension, kind, content) => {
    const entries = [...readZip(makeOdf(kind, content))].map(([name, content]) => ({ name, content }))
    const { bytes } = await clean(`x.${extension}`, makeZip(entries.filter(({ name }) => name !== 'mimetype')))
    expect([...readZip(bytes).keys()]).not.toContain('mimetype')
    expect(readZip(bytes).get('content.xml')!.toString()).toContain('[X]')
  })

  test.each(['utf16le', 'utf-16be'])('a part in %s without a byte order mark is read and stays so', async encoding => {
    const files = readZip(makeDocx(body))
    const document = Buffer.from(files.get('word/document.xml')!.toString().replace('UTF-8', 'UTF-16'), 'utf16le')
    const stored = encoding === 'utf16le' ? document : document.swap16()
    const { bytes } = await clean(
      'x.docx',
      makeZip(
        [...files].map(([name, content]) => ({ name, content: name === 'word/document.xml' ? stored : content })),
      ),
    )
    const found = Buffer.from(readZip(bytes).get('word/document.xml')!)
    expect((encoding === 'utf16le' ? found : found.swap16()).toString('utf16le')).toContain('<w:t>[X] wrote</w:t>')
  })

  test('a binary workbook is not supported, not damaged', async () => {
    const bytes = makeOffice('xl/workbook.bin', {
      'xl/workbook.bin': Buffer.from([131, 1, 0]),
      'xl/_rels/workbook.bin.rels': relationships([]),
    })
    await expect(clean('x.xlsb', bytes)).rejects.toMatchObject({
      type: 'unsupported_format',
      message: expect.stringContaining('.xlsb'),
    })
  })

  test('bytes behind the end of RTF go and are reported', async () => {
    const { bytes, dropped } = await clean('x.rtf', Buffer.from('{\\rtf1\\ansi Zyanne wrote}\r\n\0Zyx{'))
    expect(bytes.toString()).toBe('{\\rtf1\\ansi [X] wrote}')
    expect(dropped).toEqual([{ what: 'bytes behind the end', count: 1 }])
  })
})

describe('reports of what is left out', () => {
  test.each([
    ['<office:scripts/>', []],
    [
      '<office:scripts><office:script><l:libraries xmlns:l="http://openoffice.org/2004/office"/></office:script></office:scripts>',
      [],
    ],
    ['<office:scripts><office:script>Sub Main</office:script></office:scripts>', [{ what: 'macros', count: 1 }]],
    [
      '<office:scripts><office:event-listeners><office:event-listener/></office:event-listeners></office:scripts>',
      [{ what: 'macros', count: 1 }],
    ],
  ])('macros in %s', async (scripts, expected) => {
    const files = readZip(makeOdf('text', '<text:p>x</text:p>'))
    const content = files.get('content.xml')!.toString().replace('<office:body>', `${scripts}<office:body>`)
    const bytes = makeZip(
      [...files].map(([name, text]) => ({
        name,
        content: name === 'content.xml' ? content : text,
        store: name === 'mimetype',
      })),
    )
    expect((await clean('x.odt', bytes)).dropped).toEqual(expected)
  })

  test('an empty element that goes is not counted', async () => {
    const settings =
      '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:rsids/><w:docVars/></w:settings>'
    const { dropped } = await clean(
      'x.docx',
      makeDocx(body, { 'word/settings.xml': settings }, [['s1', 'settings', 'settings.xml']]),
    )
    expect(dropped).toEqual([])
  })
})

describe('XML with a document type declaration', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>Zya</text></svg>'
  const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
  test.each([
    ['behind nothing', '', ''],
    ['behind the declaration of XML', '<?xml version="1.0" standalone="no"?>\n', ''],
    ['behind a comment', '<?xml version="1.0"?>\n<!-- Generator: x-y - z -->\n', '\n<!-- Created by it -->\n'],
  ])('that names a type, %s, is read without it', async (_, before, behind) => {
    const { bytes, dropped } = await clean('x.svg', Buffer.from(`${before}${type}${behind}${svg}`))
    expect(bytes.toString()).toBe(`${before}${behind}${svg.replace('Zya', '[X]')}`)
    expect(dropped).toEqual([{ what: 'document type declarations', count: 1 }])
  })

  test.each([
    ['that gives attributes', '<!DOCTYPE svg [<!ATTLIST text a CDATA "Zyx">]>', svg],
    [
      'whose entity that stands for another is used',
      '<!DOCTYPE svg [<!ENTITY e "&f;"><!ENTITY f "Zyx">]>',
      svg.replace('Zya', '&e;'),
    ],
    ['whose entity stands for markup', '<!DOCTYPE svg [<!ENTITY e "&#x3C;b/>">]>', svg.replace('Zya', '&e;')],
    ['that comes twice', type + type, svg],
    ['in a comment that goes on', `<!-- ${type}`, svg],
  ])('%s is refused', async (_, before, source) => {
    await expect(clean('x.svg', Buffer.from(before + source))).rejects.toMatchObject({ type: 'corrupt_file' })
  })
})
