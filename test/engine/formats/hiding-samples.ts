import { type Link, makeOffice, relationships } from './package.ts'

export type Parts = Record<string, string | Uint8Array>

export const main = (kind: string) => `http://schemas.openxmlformats.org/${kind}/2006/main`
const declared = [
  `xmlns:p="${main('presentationml')}" xmlns:a="${main('drawingml')}" xmlns:w="${main('wordprocessingml')}"`,
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"',
  'xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
].join(' ')
export const element = (name: string, content: string) => `<${name} ${declared}>${content}</${name}>`
export const runs = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`
export const tree = (content: string) => `<p:cSld><p:spTree>${content}</p:spTree></p:cSld>`
export const named = (attributes: string) =>
  tree(`<p:sp><p:nvSpPr><p:cNvPr id="2" ${attributes}/></p:nvSpPr><p:txBody>${runs('seen')}</p:txBody></p:sp>`)

/** A presentation with one slide, parts beside it, and links from the slide, the presentation and the package. */
export function deck(
  slide: string,
  parts: Parts = {},
  links: { slide?: Link[]; main?: Link[]; root?: Link[] } = {},
): Buffer {
  const list = '<p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst>'
  const all: Parts = {
    'ppt/presentation.xml': element('p:presentation', list),
    'ppt/_rels/presentation.xml.rels': relationships([['s1', 'slide', 'slides/slide1.xml'], ...(links.main ?? [])]),
    'ppt/slides/slide1.xml': element('p:sld', slide),
    'ppt/slides/_rels/slide1.xml.rels': relationships(links.slide ?? []),
  }
  return makeOffice('ppt/presentation.xml', { ...all, ...parts }, links.root)
}

export const fromSlide = (kind: string, target: string, content: string | Uint8Array, more: Parts = {}) =>
  deck(
    tree(`<p:graphicFrame><x r:id="r1"/></p:graphicFrame>${runs('seen')}`),
    { [`ppt/${target}`]: content, ...more },
    { slide: [['r1', kind, `../${target}`]] },
  )
export const fromMain = (kind: string, target: string, content: string | Uint8Array, more: Parts = {}) =>
  deck(tree(runs('seen')), { [`ppt/${target}`]: content, ...more }, { main: [['r1', kind, target]] })
export const fromRoot = (kind: string, target: string, content: string | Uint8Array) =>
  deck(tree(runs('seen')), { [target]: content }, { root: [['r1', kind, target]] })

const sheet = (content: string) => `<worksheet xmlns="${main('spreadsheetml')}">${content}</worksheet>`
export const row = (text: string) =>
  `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData>`

/** A workbook with one sheet, parts beside it, and links from the sheet and the workbook. */
export function book(
  content: string,
  parts: Parts = {},
  links: { sheet?: Link[]; main?: Link[]; root?: Link[] } = {},
  workbook = '',
  attributes = 'name="One"',
): Buffer {
  const office = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
  const sheets = `<sheets><sheet ${attributes} sheetId="1" r:id="s1"/></sheets>`
  const all: Parts = {
    'xl/workbook.xml': `<workbook xmlns="${main('spreadsheetml')}" ${office}>${sheets}${workbook}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['s1', 'worksheet', 'worksheets/sheet1.xml'], ...(links.main ?? [])]),
    'xl/worksheets/sheet1.xml': sheet(content).replace('>', ` ${office}>`),
    'xl/worksheets/_rels/sheet1.xml.rels': relationships(links.sheet ?? []),
  }
  return makeOffice('xl/workbook.xml', { ...all, ...parts }, links.root)
}

export const chart = (content: string) => element('c:chartSpace', `<c:chart>${content}</c:chart>`)
export const cache = chart(
  '<c:ser><c:cat><c:strRef><c:f>S!$A$1</c:f><c:strCache><c:pt idx="0"><c:v>Zycached</c:v></c:pt></c:strCache></c:strRef></c:cat></c:ser>',
)
export const inner = () => book(row('Zyembedded'))
export const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('Zyobject', 'utf16le')])
export const jpeg = Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), Buffer.from('..Exif\0\0Zypreview')])

/** A paragraph of a Word document. */
export const body = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
