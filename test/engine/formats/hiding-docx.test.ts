import { hidingPlaces } from './hiding.ts'
import { body, element, inner, type Parts } from './hiding-samples.ts'
import { makeDocx, relationships } from './package.ts'

const withPart = (kind: string, name: string, content: string | Uint8Array, more: Parts = {}) =>
  makeDocx(`<w:p><x r:id="r1"/></w:p>${body('seen')}`, { [`word/${name}`]: content, ...more }, [['r1', kind, name]])

hidingPlaces('letter.docx', {
  'an equation': () =>
    makeDocx(
      `<w:p><m:r xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:t>Zyformula</m:t></m:r></w:p>`,
    ),
  'a form field': () =>
    makeDocx(
      '<w:p><w:fldChar><w:ffData><w:name w:val="Zyfield"/><w:textInput><w:default w:val="Zydefault"/></w:textInput><w:ddList><w:listEntry w:val="Zyentry"/></w:ddList></w:ffData></w:fldChar></w:p>',
    ),
  'a content control': () =>
    makeDocx(
      `<w:sdt><w:sdtPr><w:alias w:val="Zyalias"/><w:tag w:val="Zytag"/><w:comboBox><w:listItem w:displayText="Zychoice" w:value="Zyvalue"/></w:comboBox></w:sdtPr><w:sdtContent>${body('Zycontent')}</w:sdtContent></w:sdt>`,
    ),
  'a reading aid': () =>
    makeDocx(
      '<w:p><w:r><w:ruby><w:rt><w:r><w:t>Zyread</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>Zybase</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>',
    ),
  'hidden text': () => makeDocx('<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Zyvanished</w:t></w:r></w:p>'),
  'moved text': () => makeDocx('<w:p><w:moveFrom w:author="Zyeditor"><w:r><w:t>Zymoved</w:t></w:r></w:moveFrom></w:p>'),
  'a formerly different format': () =>
    makeDocx('<w:p><w:r><w:rPr><w:rPrChange w:author="Zyeditor"/></w:rPr><w:t>seen</w:t></w:r></w:p>'),
  'a number of a list': () =>
    withPart('numbering', 'numbering.xml', element('w:numbering', '<w:lvl><w:lvlText w:val="Zylevel %1"/></w:lvl>')),
  'the name of a style': () =>
    withPart(
      'styles',
      'styles.xml',
      element('w:styles', '<w:style w:styleId="Zystyle"><w:name w:val="Zystyle"/></w:style>'),
    ),
  'a caption of a table': () =>
    makeDocx(
      `<w:tbl><w:tblPr><w:tblCaption w:val="Zycaption"/><w:tblDescription w:val="Zydescription"/></w:tblPr></w:tbl>`,
    ),
  'a text box for old programs': () =>
    makeDocx(
      `<w:p><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" alt="Zyalt"><v:textbox><w:txbxContent>${body('Zybox')}</w:txbxContent></v:textbox><v:textpath string="Zywordart"/></v:shape></w:pict></w:p>`,
    ),
  endnotes: () =>
    withPart('endnotes', 'endnotes.xml', element('w:endnotes', `<w:endnote w:id="1">${body('Zyendnote')}</w:endnote>`)),
  'a piece of another format': () =>
    withPart('aFChunk', 'afchunk1.htm', '<html><body><p>Zychunk</p><!-- Zyremark --></body></html>'),
  'a piece of a web archive': () =>
    withPart(
      'aFChunk',
      'afchunk2.mht',
      'From: zyfrom@example.com\r\nSubject: Zysubject\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>Zychunk</p>',
    ),
  'a glossary': () =>
    withPart('glossaryDocument', 'glossary/document.xml', element('w:glossaryDocument', body('Zyglossary'))),
  'the name of a font': () =>
    withPart(
      'fontTable',
      'fontTable.xml',
      element('w:fonts', '<w:font w:name="Zyfont"><w:altName w:val="Zyother"/></w:font>'),
    ),
  'a font': () =>
    withPart('fontTable', 'fontTable.xml', element('w:fonts', ''), {
      'word/_rels/fontTable.xml.rels': relationships([['f1', 'font', 'fonts/font1.odttf']]),
      'word/fonts/font1.odttf': 'Zyfont',
    }),
  people: () =>
    withPart(
      'people',
      'people.xml',
      '<w15:people xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"><w15:person w15:author="Zyperson"/></w15:people>',
    ),
  'a reference of the bibliography': () =>
    makeDocx(body('seen'), { 'customXml/item1.xml': '<b>Zysource</b>' }, [
      ['r1', 'customXml', '../customXml/item1.xml'],
    ]),
  'a workbook in the document': () => withPart('package', 'embeddings/Microsoft_Excel_Sheet1.xlsx', inner()),
  'a document in a document in it': () =>
    withPart(
      'package',
      'embeddings/file.docx',
      withPart('package', 'embeddings/file.docx', makeDocx(body('Zydeepest'))),
    ),
  'a field over runs': () =>
    makeDocx(
      '<w:p><w:r><w:instrText> INCLUDETEXT "C:\\\\Zyfol</w:instrText></w:r><w:r><w:instrText>der" </w:instrText></w:r></w:p>',
    ),
  'the data of a field': () => {
    const data = Buffer.from('<EndNote><Cite><Author>Zyauthor</Author></Cite></EndNote>').toString('base64')
    return makeDocx(
      `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:fldData>${data.replace(/.{20}/g, '$&\n')}</w:fldData></w:fldChar></w:r><w:r><w:instrText>ADDIN EN.CITE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    )
  },
  'what a program for references keeps in the code of a field': () => {
    const records = { Entries: [{ Author: 'Zyauthor', Title: 'On Zytitles', Abstract: 'a '.repeat(200) }] }
    const code = `ADDIN CitaviPlaceholder{${Buffer.from(JSON.stringify(records)).toString('base64')}}`
    const runs = code.match(/.{1,130}/g)!.map(part => `<w:r><w:instrText>${part}</w:instrText></w:r>`)
    return makeDocx(
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${runs.join('')}<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>seen</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    )
  },
  'variables of the document': () =>
    withPart(
      'settings',
      'settings.xml',
      element('w:settings', '<w:docVars><w:docVar w:name="Zyname" w:val="Zyval"/></w:docVars>'),
    ),
  'an archive comment': () => {
    const bytes = makeDocx(body('seen'))
    bytes.writeUInt16LE(9, bytes.length - 2)
    return Buffer.concat([bytes, Buffer.from('Zycomment')])
  },
  'a part that nothing points to': () => makeDocx(body('seen'), { 'word/Zystray.bin': 'Zystray' }),
})
