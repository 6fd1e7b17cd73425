import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makeDocx, makeOdf, readZip } from './package.ts'

/** A model that takes whatever it is asked about for a person, as a whole; it tells what that was. */
function eagerModel() {
  const asked = new Set<string>()
  const model: EntityModel = {
    find: async texts =>
      texts.map(text => {
        // The name of the file, without its ending, is asked about as well.
        if (text !== 'a') asked.add(text.trim())
        return /\S/.test(text) ? [{ label: 'PERSON', start: 0, end: text.length, score: 0.9 }] : []
      }),
  }
  return { asked, model }
}

/** A model that knows some people. */
const knowing = (...people: string[]): EntityModel => ({
  find: async texts =>
    texts.map(text =>
      people.flatMap(person => {
        const start = text.indexOf(person)
        return start < 0 ? [] : [{ label: 'PERSON', start, end: start + person.length, score: 0.9 }]
      }),
    ),
})

const person: PlannedRule = {
  ruleId: 'person',
  name: 'person',
  detection: { type: 'AIMODEL', modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 },
  replacement: { text: 'XX' },
}

async function clean(name: string, content: string | Uint8Array, model: EntityModel, rules = [person]) {
  const result = await anonymise(
    call({ input: bufferInput(name, Buffer.from(content)), rules, models: async () => model }),
  )
  return Buffer.from(await result.output.read(0, result.output.size))
}

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'

/** As Word and python-docx write them. */
const parts = {
  'word/styles.xml': `<w:styles ${w}><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-US" w:eastAsia="ja-JP" w:bidi="ar-SA"/></w:rPr></w:rPrDefault></w:docDefaults><w:latentStyles w:count="276"><w:lsdException w:name="Light Shading Accent 1" w:semiHidden="0"/></w:latentStyles><w:style w:type="paragraph" w:styleId="Header"><w:name w:val="header"/><w:link w:val="HeaderChar"/></w:style><w:style w:type="character" w:customStyle="1" w:styleId="HeaderChar"><w:name w:val="Header Char"/><w:basedOn w:val="DefaultParagraphFont"/></w:style><w:style w:type="paragraph" w:styleId="BriefKlinik"><w:name w:val="Brief Klinik"/></w:style></w:styles>`,
  'word/settings.xml': `<w:settings ${w} ${m}><w:zoom w:percent="100"/><w:defaultTabStop w:val="720"/><m:mathPr><m:mathFont m:val="Cambria Math"/><m:brkBin m:val="before"/><m:brkBinSub m:val="--"/><m:wrapIndent m:val="1440"/></m:mathPr><w:themeFontLang w:val="en-US" w:eastAsia="ja-JP"/><w:decimalSymbol w:val="."/><w:listSeparator w:val=","/></w:settings>`,
  'word/theme/theme1.xml': `<a:theme ${a} name="Larissa Theme"><a:themeElements><a:clrScheme name="Larissa"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1></a:clrScheme><a:fontScheme name="Larissa"><a:majorFont><a:latin typeface="Calibri"/><a:font script="Yiii" typeface="Microsoft Yi Baiti"/><a:font script="Jpan" typeface="Hausschrift Nord"/></a:majorFont></a:fontScheme></a:themeElements></a:theme>`,
  'word/numbering.xml': `<w:numbering ${w}><w:abstractNum w:abstractNumId="0"><w:nsid w:val="FFFFFF7C"/><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="Artikel %1 —"/></w:lvl></w:abstractNum></w:numbering>`,
}
const links = ['styles', 'settings', 'theme', 'numbering'].map((kind, n): [string, string, string] => [
  `r${n}`,
  kind,
  kind === 'theme' ? 'theme/theme1.xml' : `${kind}.xml`,
])

test('styles, settings, themes and numbering of a Word document are no language', async () => {
  const { asked, model } = eagerModel()
  const body =
    '<w:p><w:pPr><w:pStyle w:val="BriefKlinik"/></w:pPr><w:bookmarkStart w:id="0" w:name="_Toc1234"/><w:r><w:t>Horst kam.</w:t></w:r>' +
    '<w:bookmarkEnd w:id="0"/><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE \\* MERGEFORMAT </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
  const output = readZip(await clean('a.docx', makeDocx(body, parts, links), model))
  for (const [name, source] of Object.entries(parts)) expect(output.get(name)!.toString(), name).toBe(source)
  expect(output.get('word/document.xml')!.toString()).toContain(body.replace('Horst kam.', 'XX'))
  expect([...asked]).toEqual(['Horst kam.'])
})

test('what people name and describe is asked about', async () => {
  const { asked, model } = eagerModel()
  const wp = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
  const body = `<w:p><w:bookmarkStart w:id="0" w:name="Heidelberg"/><w:bookmarkEnd w:id="0"/><w:r><w:drawing><wp:inline ${wp}><wp:docPr id="1" name="Picture 1" descr="Frau Meyerhof am Fenster" title="Im Garten"/></wp:inline></w:drawing></w:r></w:p>`
  await clean('a.docx', makeDocx(body), model)
  expect([...asked].sort()).toEqual(['Frau Meyerhof am Fenster', 'Heidelberg', 'Im Garten'])
})

test('styles and settings of OpenDocument are no language', async () => {
  const styles =
    '<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><office:styles>' +
    '<style:style style:name="Header_20_Char" style:display-name="Header Char" style:family="text" style:parent-style-name="Default_20_Paragraph_20_Font"/>' +
    '<style:style style:name="Brief_20_Klinik" style:display-name="Brief Klinik" style:family="paragraph"/></office:styles></office:document-styles>'
  const { asked, model } = eagerModel()
  const body = '<text:p text:style-name="Brief_20_Klinik">Horst kam.</text:p>'
  const output = readZip(await clean('a.odt', makeOdf('text', body, { 'styles.xml': styles }), model))
  expect(output.get('styles.xml')!.toString()).toBe(styles)
  expect(output.get('content.xml')!.toString()).toContain('<text:p text:style-name="Brief_20_Klinik">XX</text:p>')
  expect([...asked]).toEqual(['Horst kam.'])
})

const pages: [name: string, content: string, wanted: string, asked: string[]][] = [
  [
    'a.html',
    '<!DOCTYPE html><html lang="de"><head><meta name="viewport" content="width=device-width, initial-scale=1"><style>.Brief { font: Arial }</style></head><body class="Brief Klinik" data-state="Open"><script>const Brief = "Klinik"; run(Brief)</script><a href="Klinik/Brief.html#Anfang" title="Zur Klinik">Brief</a></body></html>',
    'title="XX">XX</a>',
    ['Brief', 'Open', 'Zur Klinik'],
  ],
  [
    'a.svg',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" class="Brief Klinik"><path d="M 1 2 L 3 4" style="fill:Blue" stroke-linecap="round"/><text x="1">Brief</text></svg>',
    '<text x="1">XX</text>',
    ['Brief'],
  ],
  [
    'a.rtf',
    '{\\rtf1\\ansi{\\fonttbl{\\f0 Hausschrift Nord;}}{\\stylesheet{\\s1 Brief Klinik;}}{\\field{\\*\\fldinst PAGE \\\\* MERGEFORMAT }{\\fldrslt Seite}}\\par Brief\\par}',
    '\\par XX\\par',
    ['Brief', 'Seite'],
  ],
  [
    'a.eml',
    'From: Horst <h@x.example>\nSubject: Brief\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-ID: <Brief.Klinik@x.example>\n\nBrief\n',
    '\n\nXX',
    ['Brief', 'Horst', 'Horst <h@x.example>'],
  ],
]

test.each(pages)('in %s only what people wrote is asked about', async (name, content, wanted, told) => {
  const { asked, model } = eagerModel()
  expect((await clean(name, content, model)).toString()).toContain(wanted)
  expect([...asked].filter(text => text !== '').sort()).toEqual(told)
})

test('strings in formulas are language, names and numbers in them are not', async () => {
  const { asked, model } = eagerModel()
  const table =
    '<table:table table:name="Sheet1"><table:table-row><table:table-cell office:value-type="float" office:value="2" table:formula="of:=IF([.A2]&gt;100;&quot;Frau Meyerhof&quot;;1)"><text:p>2</text:p></table:table-cell></table:table-row></table:table>'
  await clean('a.ods', makeOdf('spreadsheet', table), model)
  expect([...asked].sort()).toEqual(['2', 'Frau Meyerhof'])
})

test('keys of JSON are no language unless they are written as such', async () => {
  const { asked, model } = eagerModel()
  await clean('a.json', '{"lastName": "Meyerhof", "Item_Name": {"Frau Meyerhof": "x y"}}', model)
  expect([...asked].sort()).toEqual(['Frau Meyerhof', 'Meyerhof', 'x y'])
})

test('people found in the text are gone from names of styles and from scripts, common words in them stay', async () => {
  const model = knowing('Miriam Kaltenbrunner-Sand', 'Meyerhof', 'Mark')
  const html =
    '<script>const meyerhof = 1; log("Meyerhof", "miriam kaltenbrunner-sand"); Markdown.bookMark(Meyerhofen)</script><p>Mark, Meyerhof, Miriam Kaltenbrunner-Sand</p>'
  expect((await clean('a.html', html, model)).toString()).toBe(
    '<script>const meyerhof = 1; log("XX", "XX"); Markdown.bookXX(Meyerhofen)</script><p>XX, XX, XX</p>',
  )
  const styles = `<w:styles ${w}><w:style w:type="paragraph" w:styleId="MeyerhofBrief"><w:name w:val="Meyerhof Brief"/></w:style></w:styles>`
  const body = '<w:p><w:pPr><w:pStyle w:val="MeyerhofBrief"/></w:pPr><w:r><w:t>Meyerhof</w:t></w:r></w:p>'
  const output = readZip(
    await clean('a.docx', makeDocx(body, { 'word/styles.xml': styles }, [['r1', 'styles', 'styles.xml']]), model),
  )
  expect(output.get('word/styles.xml')!.toString()).toContain('w:styleId="XXBrief"><w:name w:val="XX Brief"/>')
  expect(output.get('word/document.xml')!.toString()).toContain('<w:pStyle w:val="XXBrief"/>')
})

test('patterns, and models that know forms, look at code and addresses too', async () => {
  const html = '<script>const to = "anna@x.example"</script><a href="wir/anna@x.example">Post</a>'
  const forms: EntityModel = {
    anyText: true,
    find: async texts =>
      texts.map(text =>
        Array.from(text.matchAll(/\w+@[\w.]+/g), ({ index, 0: found }) => ({
          label: 'EMAIL',
          start: index,
          end: index + found.length,
          score: 1,
        })),
      ),
  }
  const wanted = '<script>const to = "XX"</script><a href="wir/XX">Post</a>'
  expect((await clean('a.html', html, forms)).toString()).toBe(wanted)
  const rule = regexRule('mail', '\\w+@[\\w.]+', { replacement: { text: 'XX' } })
  expect((await clean('a.html', html, forms, [rule])).toString()).toBe(wanted)
})

test('names of namespaces and places of schemas are vocabulary: no model is asked, but rules and found values count', async () => {
  const uri = 'http://invoices.example/Zya/v1.2'
  const source = (text: string) =>
    `<p:a xmlns:p="${uri}" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="${uri} a.xsd"><b>${text}</b></p:a>`
  const addresses: EntityModel = {
    anyText: true,
    find: async texts =>
      texts.map(text =>
        Array.from(text.matchAll(/https?:\S+/g), ({ index, 0: found }) => ({
          label: 'URL',
          start: index,
          end: index + found.length,
          score: 1,
        })),
      ),
  }
  const written = async (text: string, rules = [person]) =>
    (await clean('a.xml', source(text), addresses, rules)).toString()
  expect(await written('see http://x.example')).toBe(source('see XX'))
  expect(await written('hello', [regexRule('Z', 'Zya')])).not.toContain('Zya')
  expect(await written(`see ${uri} there`)).not.toContain('invoices.example')
  const numbered = '<a xmlns="http://people.example/19790523"><b>x</b></a>'
  expect((await clean('a.xml', numbered, addresses)).toString()).not.toContain('19790523')
})
