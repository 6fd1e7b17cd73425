import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { rgba } from '../../../shared/engine/formats/image/bitmap.ts'
import { kindOf } from '../../../shared/engine/formats/image/kinds.ts'
import { forReading } from '../../../shared/engine/formats/image/ocr-bitmap.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { startOcr } from '../../../shared/engine/ocr/ocr.ts'
import { call, regexRule } from '../call.ts'
import { book, deck, row, tree } from './hiding-samples.ts'
import { makeDocx, makeOdf, readZip } from './package.ts'
import { allOf, typedPicture } from './picture-samples.ts'

const picture = rgba(await typedPicture(['Signed by Zacharias Quorum', 'for the Northern Harbour Bank']))
const png = Buffer.from(await kindOf('png').encode([picture], new Uint8Array()))
const jpeg = Buffer.from(await kindOf('jpg').encode([picture], new Uint8Array()))

type Carrier = { name: string; file: Buffer; find(output: Buffer): Uint8Array; id?: string }

const media = (part: string) => (output: Buffer) => readZip(output).get(part)!
const image = (target: string): [string, string, string] => ['r1', 'image', target]
const rtf = (content: string) => Buffer.from(`{\\rtf1\\ansi seen\\par ${content}}`, 'latin1')
const html = (content: string) => Buffer.from(`<!DOCTYPE html><html><body><p>seen</p>${content}</body></html>`)
const address = `data:image/png;base64,${png.toString('base64')}`
const inAddress = (output: Buffer) => Buffer.from(/base64,([\w+/=]+)/.exec(output.toString())![1]!, 'base64')
const inHex = (output: Buffer) => Buffer.from(/blip ([0-9a-f]+)/.exec(output.toString('latin1'))![1]!, 'hex')
const mail = (name: string) =>
  Buffer.from(
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nseen\r\n--b\r\nContent-Type: image/png; name=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${png.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`,
  )
const inMail = (output: Buffer) =>
  Buffer.from(/base64\r\n\r\n([\w+/=\r\n]+)/.exec(output.toString('latin1'))![1]!, 'base64')

const carriers: Record<string, Carrier> = {
  'a Word document': {
    name: 'a.docx',
    file: makeDocx('<w:p><x r:embed="r1"/></w:p>', { 'word/media/image1.png': png }, [image('media/image1.png')]),
    find: media('word/media/image1.png'),
  },
  'a presentation': {
    name: 'a.pptx',
    file: deck(tree('<x r:embed="r1"/>'), { 'ppt/media/image1.png': png }, { slide: [image('../media/image1.png')] }),
    find: media('ppt/media/image1.png'),
  },
  'a workbook': {
    name: 'a.xlsx',
    file: book(row('seen'), { 'xl/media/image1.png': png }, { sheet: [image('../media/image1.png')] }),
    find: media('xl/media/image1.png'),
  },
  'an OpenDocument text': {
    name: 'a.odt',
    file: makeOdf('text', '<draw:image xlink:href="Pictures/image1.png"/>', { 'Pictures/image1.png': png }),
    find: media('Pictures/image1.png'),
  },
  'RTF in digits': { name: 'a.rtf', file: rtf(`{\\pict\\picw9\\pngblip ${png.toString('hex')}}`), find: inHex },
  'RTF in bytes': {
    name: 'a.rtf',
    file: rtf(`{\\pict{\\*\\picprop x}\\jpegblip\\bin${jpeg.length} ${jpeg.toString('latin1')}}`),
    find: inHex,
    id: 'jpg',
  },
  'an address in HTML': { name: 'a.html', file: html(`<img src="${address}" alt="seen">`), find: inAddress },
  'a style of an element': {
    name: 'a.html',
    file: html(`<p style="background:url('${address}');color:red">x</p>`),
    find: inAddress,
  },
  'a style sheet': { name: 'a.html', file: html(`<style>p { background: url(${address}) }</style>`), find: inAddress },
  'an attachment': { name: 'a.eml', file: mail('x.png'), find: inMail },
}

async function shows(bytes: Uint8Array, id = 'png'): Promise<string> {
  const [bitmap] = await allOf(kindOf(id).decode(bytes))
  const ocr = await startOcr(['eng'], new AbortController().signal)
  const { lines } = await ocr.read(forReading(bitmap!, undefined))
  await ocr.close()
  return lines.map(line => line.map(({ text }) => text).join(' ')).join('\n')
}

async function run({ name, file }: Carrier, pattern: string) {
  const rules = [regexRule('name', pattern)]
  const { output, report, findings } = await anonymise(call({ input: bufferInput(name, file), rules }))
  return { bytes: Buffer.from(await output.read(0, output.size)), report, count: findings[0]!.count }
}

describe('pictures in other files', () => {
  test.each(Object.entries(carriers))('%s: is read and painted over', async (_, carrier) => {
    const { bytes, report, count } = await run(carrier, 'Zacharias Quorum')
    expect(count).toBe(1)
    expect(report.ocr).toMatchObject({ pages: 1 })
    expect(report.dropped.map(({ what }) => what)).not.toContain('pictures')
    expect(report).not.toHaveProperty('painted')
    const text = await shows(carrier.find(bytes), carrier.id)
    expect(text).not.toMatch(/Zachar|Quorum/)
    expect(text).toContain('Northern Harbour')
  })

  test.each(Object.entries(carriers))('%s: is kept where nothing is found', async (_, carrier) => {
    const { bytes } = await run(carrier, 'nothing of the kind')
    const [before] = await allOf(kindOf(carrier.id ?? 'png').decode(carrier.id === 'jpg' ? jpeg : png))
    const [after] = await allOf(kindOf(carrier.id ?? 'png').decode(carrier.find(bytes)))
    expect([after!.width, after!.height]).toEqual([before!.width, before!.height])
    if (carrier.id === undefined) expect(Buffer.from(after!.data).equals(Buffer.from(before!.data))).toBe(true)
  })
})
