import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOdf, makeZip, readZip } from './package.ts'

const rules = [regexRule('N', '\\b[Zz]qx[a-z]+')]

async function document(name: string, bytes: Uint8Array, part: string): Promise<string> {
  const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules }))
  return readZip(await output.read(0, output.size))
    .get(part)!
    .toString()
}

const docx = (inner: string) =>
  document('x.docx', makeDocx(`<w:p><w:r><w:t>Zqxa</w:t></w:r></w:p>${inner}`), 'word/document.xml')

describe('names and addresses of vocabularies of anybody', () => {
  test('change in start and end tags alike, and in their namespace', async () => {
    const after = await docx('<f:Zqxa xmlns:f="http://zqxa.example/"><f:b f:Zqxa="2">t</f:b></f:Zqxa>')
    expect(after).toContain('<f:_N_ xmlns:f="http://%5BN%5D.example/"><f:b f:_N_="2">t</f:b></f:_N_>')
  })

  test('a value in a prefix is refused', async () => {
    await expect(docx('<Zqxa:b xmlns:Zqxa="urn:f">t</Zqxa:b>')).rejects.toMatchObject({ type: 'leak_detected' })
  })

  test('so is one in a prefix of a vocabulary that everybody knows, and in one that nothing uses', async () => {
    const known = 'xmlns:Zqxa="http://schemas.microsoft.com/office/word/2010/wordml"'
    for (const inner of [`<w:p ${known} Zqxa:paraId="1"/>`, `<w:p ${known}/>`, '<w:p xmlns:Zqxa="urn:f"/>'])
      await expect(docx(inner)).rejects.toMatchObject({ type: 'leak_detected' })
    const body =
      '<text:p xmlns:Zqxa="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><Zqxa:span>Zqxa</Zqxa:span></text:p>'
    await expect(document('x.odt', makeOdf('text', body), 'content.xml')).rejects.toMatchObject({
      type: 'leak_detected',
    })
  })

  test('names of those who make formats are no text', async () => {
    const after = await docx('<m:Zqxb xmlns:m="http://schemas.microsoft.com/office/m" m:Zqxb="1"/>')
    expect(after).toContain('<m:Zqxb xmlns:m="http://schemas.microsoft.com/office/m" m:Zqxb="1"/>')
  })

  test('in OpenDocument too', async () => {
    const body = '<text:p>Zqxa <f:Zqxa xmlns:f="urn:zqxa" f:Zqxa="1">t</f:Zqxa></text:p>'
    const after = await document('x.odt', makeOdf('text', body), 'content.xml')
    expect(after).toContain('<text:p>[N] <f:_N_ xmlns:f="urn:%5BN%5D" f:_N_="1">t</f:_N_></text:p>')
  })
})

describe('attributes that hold words of the format', () => {
  test.each([
    ['<w:r><w:rPr><w:lang w:val="Zqxa"/></w:rPr></w:r>', '<w:lang w:val="[N]"/>'],
    [
      '<w:r><w:rPr><w:lang w:val="de-AT" w:eastAsia="zh-CN"/></w:rPr></w:r>',
      '<w:lang w:val="de-AT" w:eastAsia="zh-CN"/>',
    ],
    ['<w:smartTag w:uri="urn:zqxa" w:element="e"/>', 'w:uri="urn:[N]"'],
    ['<w:smartTag w:uri="urn:schemas-microsoft-com:zqxa" w:element="e"/>', 'w:uri="urn:schemas-microsoft-com:zqxa"'],
  ])('are read where they hold others: %s', async (inner, expected) => {
    expect(await docx(`<w:p>${inner}</w:p>`)).toContain(expected)
  })

  test('a name of a relationship that holds a replaced value is refused, those of programs are not looked at', async () => {
    const withLink = (id: string) =>
      document(
        'x.docx',
        makeDocx(`<w:p><w:hyperlink r:id="${id}"><w:r><w:t>Zqxa</w:t></w:r></w:hyperlink></w:p>`, {}, [
          [id, 'hyperlink', 'http://a.example/', true],
        ]),
        'word/_rels/document.xml.rels',
      )
    expect(await withLink('rId7')).toContain('Id="rId7"')
    await expect(withLink('Zqxa')).rejects.toMatchObject({ type: 'leak_detected' })
  })

  test('types of extensions that no part has go', async () => {
    const files = readZip(makeDocx('<w:p><w:r><w:t>a</w:t></w:r></w:p>'))
    const types = files.get('[Content_Types].xml')!.toString()
    const more =
      '<Default Extension="zqxa" ContentType="application/zqxb"></Default><Default Extension="XML" ContentType="application/xml"/>'
    files.set('[Content_Types].xml', Buffer.from(types.replace('<Override', `${more}<Override`)))
    const after = await document(
      'x.docx',
      makeZip([...files].map(([name, content]) => ({ name, content }))),
      '[Content_Types].xml',
    )
    expect(after).not.toContain('zqx')
    expect(after).toContain('Extension="XML"')
    expect(after).toContain('Extension="rels"')
  })
})

describe('names of shapes', () => {
  test('that programs make up stay, as do their styles', async () => {
    const shape =
      '<w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape id="_x0000_s1025" type="#_x0000_t75" style="position:absolute;font-family:&quot;Arial&quot;;width:12.5pt"/></w:pict>'
    expect(await docx(`<w:p><w:r>${shape}</w:r></w:p>`)).toContain(shape)
  })

  test('that people give change with what points to them', async () => {
    const after = await docx(
      '<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shapetype id="Zqxb"/><v:shape id="zqxc" type="#Zqxb"/></w:pict></w:r></w:p>',
    )
    expect(after).toContain('<v:shapetype id="[N]"/><v:shape id="[N]" type="#[N]"/>')
  })
})
