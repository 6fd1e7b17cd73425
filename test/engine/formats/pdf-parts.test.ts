import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { encodePage } from '../../../shared/engine/formats/image/codecs.ts'
import { inflated } from '../../../shared/engine/formats/pdf/verify/decoded-streams.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { fillWithText, showPdf } from './pdf-samples.ts'
import { typedPicture } from './picture-samples.ts'

const run = async (document: PDFDocument, pattern = 'Zy\\w*') => {
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const result = await anonymise(call({ input, rules: [regexRule('name', pattern)] }))
  const bytes = await result.output.read(0, result.output.size)
  const streams = [...inflated(bytes, 2 ** 28)].map(stream => Buffer.from(stream.bytes).toString('latin1'))
  const raw = [Buffer.from(bytes).toString('latin1'), ...streams].join('\n')
  return { result, raw, document: await PDFDocument.load(bytes, { updateMetadata: false }) }
}

const blank = async (text = 'Some text') => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([300, 200])
  page.drawText(text, { x: 20, y: 100, size: 12, font })
  return { document, page, font, context: document.context }
}

describe('parts of a PDF', () => {
  test('links lead where they led, without the values', async () => {
    const { document, page, context } = await blank()
    const second = document.addPage([300, 200])
    const link = (entries: Record<string, unknown>) =>
      context.register(context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [20, 95, 90, 115], ...entries } as never))
    const action = (uri: string) => ({ A: { S: 'URI', URI: PDFString.of(uri) } })
    const scripted = { A: { S: 'JavaScript', JS: PDFString.of('app.alert("Zyscript")') } }
    const annotations = [action('https://example.com/Zyname'), { Dest: [second.ref, 'Fit'] }, scripted].map(link)
    page.node.set(PDFName.of('Annots'), context.obj(annotations))
    const { document: output, raw } = await run(document)
    expect(raw).not.toMatch(/Zyscript|JavaScript/)
    const kept = output.getPage(0).node.lookup(PDFName.of('Annots'), PDFArray)
    expect(kept.size()).toBe(2)
    const uri = kept.lookup(0, PDFDict).lookup(PDFName.of('A'), PDFDict).lookup(PDFName.of('URI'), PDFHexString)
    expect(uri.decodeText()).toBe('https://example.com/[name]')
    const target = kept.lookup(1, PDFDict).lookup(PDFName.of('Dest'), PDFArray).get(0)
    expect(target).toBe(output.getPage(1).ref)
  })

  test('links look as they did', async () => {
    const { document, page, context } = await blank()
    const looks = [{ Border: [1, 2, 3], C: [1, 0, 0] }, { BS: { W: 2, S: 'D', D: [3, 2] }, C: [] }, {}]
    const links = looks.map(look =>
      context.register(
        context.obj({ Subtype: 'Link', Rect: [20.1, 95, 90.123, 115], Dest: [page.ref, 'Fit'], ...look } as never),
      ),
    )
    page.node.set(PDFName.of('Annots'), context.obj(links))
    const { document: output } = await run(document)
    const kept = output.getPage(0).node.lookup(PDFName.of('Annots'), PDFArray)
    const entry = (at: number, key: string) => kept.lookup(at, PDFDict).lookup(PDFName.of(key))?.toString()
    expect([0, 1, 2].map(at => entry(at, 'Rect'))).toEqual(new Array(3).fill('[ 20.1 95 90.123 115 ]'))
    expect([0, 1, 2].map(at => entry(at, 'Border'))).toEqual(['[ 1 2 3 ]', undefined, undefined])
    expect([0, 1, 2].map(at => entry(at, 'C'))).toEqual(['[ 1 0 0 ]', '[ ]', undefined])
    expect(entry(1, 'BS')?.split(/\s+/).join(' ')).toBe('<< /W 2 /S /D /D [ 3 2 ] >>')
    // The borders are not content as well.
    expect(output.getPage(0).node.Resources()?.lookupMaybe(PDFName.of('XObject'), PDFDict)?.keys() ?? []).toEqual([])
    expect(output.getPage(0).node.MediaBox()?.toString()).toBe(page.node.MediaBox()?.toString())
  })

  test('the report names each thing that is left out, as often as it was there', async () => {
    const { document, page, context } = await blank()
    const stream = (entries: Record<string, unknown>) => context.register(context.flateStream('x', entries as never))
    const { catalog } = document
    const print = { S: 'Named', N: 'Print' }
    catalog.set(PDFName.of('OpenAction'), context.obj(print))
    catalog.set(PDFName.of('Threads'), context.obj([{ I: {} }, { I: {} }]))
    catalog.set(PDFName.of('Metadata'), stream({ Type: 'Metadata' }))
    page.node.set(PDFName.of('PieceInfo'), context.obj({ Draw: {} }))
    page.node.set(PDFName.of('Thumb'), stream({}))
    page.node.set(PDFName.of('AA'), context.obj({ O: print, C: print }))
    await document.attach(Buffer.from('a'), 'a.txt')
    await document.attach(Buffer.from('b'), 'b.txt')
    for (const name of ['a', 'b', 'c']) document.addJavaScript(name, 'app.beep(0)')
    const { result } = await run(document)
    const dropped = Object.fromEntries(result.report.dropped.map(({ what, count }) => [what, count]))
    expect(dropped).toEqual({
      actions: 3,
      'article threads': 2,
      attachments: 2,
      'document information': 1,
      'private data of programs': 1,
      scripts: 3,
      thumbnails: 1,
      'XMP metadata': 1,
    })
  })

  test('the report says that a file was damaged', async () => {
    const whole = Buffer.from(await (await blank('Zyname came')).document.save({ useObjectStreams: false }))
    const shifted = Buffer.concat([whole.subarray(0, 9), Buffer.from('%shifted\n'), whole.subarray(9)])
    const warningsOf = async (bytes: Uint8Array) => {
      const { report } = await anonymise(
        call({ input: bufferInput('file.pdf', bytes), rules: [regexRule('n', 'Zy\\w*')] }),
      )
      return report.warnings
    }
    expect(await warningsOf(whole)).toEqual([])
    expect(await warningsOf(shifted)).toEqual([expect.stringContaining('damaged')])
    // A page that stands within its tree: poppler, for one, shows nothing of it.
    const { document } = await blank('Zyname came')
    const pages = document.catalog.Pages()
    pages.set(PDFName.of('Kids'), document.context.obj([document.getPage(0).node]))
    expect(await warningsOf(await document.save({ useObjectStreams: false }))).toEqual([
      expect.stringContaining('damaged'),
    ])
  })

  test('the report names what only viewers show that look around a form for what it lacks', async () => {
    const { document, page, context } = await blank('Some text')
    const form = (content: string, more: object) =>
      context.register(
        context.flateStream(content, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 50, 50], ...more }),
      )
    const own = form('0 0 5 5 re f', {})
    const around = form('9 9 5 5 re f', {})
    page.node.setXObject(PDFName.of('Around'), around)
    page.node.setXObject(PDFName.of('Unused'), form('1 1 5 5 re f', {}))
    page.node.setXObject(PDFName.of('Outer'), form('/Own Do /Around Do', { Resources: { XObject: { Own: own } } }))
    page.node.addContentStream(context.register(context.flateStream('q /Outer Do Q')))
    const { result } = await run(document)
    expect(Object.fromEntries(result.report.dropped.map(({ what, count }) => [what, count]))).toMatchObject({
      'content that nothing shows': 1,
      'content that only some viewers show, as its form does not have it': 1,
    })
  })

  test('the report names nothing that is empty', async () => {
    const { document, page, context } = await blank()
    context.trailerInfo.Info = undefined
    for (const [key, empty] of Object.entries({ Threads: [], AA: {}, Names: { JavaScript: {} }, Outlines: {} }))
      document.catalog.set(PDFName.of(key), context.obj(empty as never))
    for (const key of ['PieceInfo', 'AA']) page.node.set(PDFName.of(key), context.obj({}))
    const { result } = await run(document)
    expect(result.report.dropped).toEqual([])
  })

  test('names that somebody chose are changed wherever they stand', async () => {
    const { document, page, context } = await blank('A form of Zyxander follows')
    const form = context.register(
      context.flateStream('0 0 50 50 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 50, 50] }),
    )
    page.node.setXObject(PDFName.of('ZyxanderLogo'), form)
    page.node.addContentStream(context.register(context.flateStream('q /ZyxanderLogo Do Q')))
    const { raw, result } = await run(document)
    expect(raw).not.toContain('Zyxander')
    expect(raw).toContain('0 0 50 50 re f')
    expect(result.report.rasterised).toEqual([])
  })

  test('the family of a font stays where it is a usual one, for readers without the font take another by it', async () => {
    const { document, page, context } = await blank()
    const fontNamed = (family: string) =>
      context.register(
        context.obj({
          Type: 'Font',
          Subtype: 'TrueType',
          BaseFont: 'F',
          FontDescriptor: { Type: 'FontDescriptor', FontName: 'F', Flags: 32, FontFamily: PDFString.of(family) },
        }),
      )
    page.node.setFontDictionary(PDFName.of('F1'), fontNamed('Arial'))
    page.node.setFontDictionary(PDFName.of('F2'), fontNamed('Hand of Ann'))
    page.node.addContentStream(context.register(context.flateStream('BT /F1 9 Tf (a) Tj /F2 9 Tf (b) Tj ET')))
    const { document: output } = await run(document)
    const families = output.context.enumerateIndirectObjects().flatMap(([, object]) => {
      const descriptor =
        object instanceof PDFDict ? object.lookupMaybe(PDFName.of('FontDescriptor'), PDFDict) : undefined
      const family = descriptor?.lookupMaybe(PDFName.of('FontFamily'), PDFString, PDFHexString)
      return family ? [family.decodeText()] : []
    })
    expect(families).toEqual(['Arial'])
  })

  test('text in patterns and masks goes, for no reader hands it out', async () => {
    const { document, page, font } = await blank()
    fillWithText(page, font, 'Zypattern')
    const { raw, result } = await run(document)
    expect(raw).not.toContain('Zypattern')
    expect(result.report.dropped).toContainEqual({ what: 'text in patterns and masks', count: 1 })
  })

  test('what a form takes from its page, having nothing of the kind itself, stays', async () => {
    const { document, page, font, context } = await blank()
    page.node.setFontDictionary(PDFName.of('Around'), font.ref)
    const form = context.flateStream('BT /Around 12 Tf 20 20 Td (By Zyanne) Tj ET', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 300, 200],
      Resources: { ProcSet: [] },
    })
    page.node.setXObject(PDFName.of('Fx'), context.register(form))
    page.node.addContentStream(context.register(context.flateStream('/Fx Do')))
    const { raw, document: output } = await run(document)
    expect(raw).not.toContain('Zyanne')
    const fonts = output.getPage(0).node.Resources()!.lookup(PDFName.of('Font'), PDFDict)
    expect(fonts.has(PDFName.of('Around'))).toBe(true)
  })

  test('what readers make out where the file shortens it or leaves it out, is no reason to refuse it', async () => {
    const { document, page, context } = await blank('By Zyanne')
    const drawn = context.flateStream('0 0 50 50 re f')
    drawn.dict.set(PDFName.of('Filter'), context.obj(['Fl']))
    page.node.addContentStream(context.register(drawn))
    for (const dict of [document.catalog, document.catalog.Pages(), page.node]) dict.delete(PDFName.of('Type'))
    const { result, raw } = await run(document)
    expect(result.findings[0]?.count).toBe(1)
    expect(result.report.rasterised).toEqual([])
    expect(raw).toContain('0 0 50 50 re f')
  })

  test('objects with gaps between their numbers are numbered anew', async () => {
    const { document, context } = await blank('Signed by Zyanne')
    for (let i = 0; i < 600; i++) {
      context.nextRef()
      document.addPage([300, 200])
    }
    const { raw, result, document: output } = await run(document)
    const numbers = [...raw.matchAll(/^(\d+) 0 obj/gm)].map(([, number]) => Number(number))
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
    expect(output.getPageCount()).toBe(601)
    expect(result.findings[0]?.count).toBe(1)
  })

  test('groups in a hundred others are no reason to give up, and what they hold is searched', async () => {
    const { document, page, context } = await blank('Signed by Zyanne')
    const add = (content: string) => page.node.addContentStream(context.register(context.flateStream(content)))
    add(`${'['.repeat(100)}(other)${']'.repeat(100)} TJ /P ${'<</A '.repeat(100)}(words)${'>>'.repeat(100)} DP`)
    expect((await run(document)).result.report.rasterised).toEqual([])
    add(`${'['.repeat(100)}(Zyanne)${']'.repeat(100)} pop`)
    const outcome = await run(document).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ type: 'leak_detected' })
  })

  test.each([
    ['is switched off', true, 1],
    ['is shown', false, 0],
  ])('a layer that %s has its text read, and the report says what becomes of the rest', async (_, isOff, hidden) => {
    const { document, page, context } = await blank()
    const layer = context.register(context.obj({ Type: 'OCG', Name: PDFString.of('Plan') }))
    const view = context.obj(isOff ? { OFF: [layer] } : {})
    document.catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: [layer], D: view }))
    const image = await document.embedJpg(await encodePage(await typedPicture(['Nothing']), 80))
    page.node.setXObject(PDFName.of('Photo'), image.ref)
    page.node.Resources()!.set(PDFName.of('Properties'), context.obj({ Plan: layer }))
    const font = [...page.node.Resources()!.lookup(PDFName.of('Font'), PDFDict).keys()][0]
    const shown = `/OC /Plan BDC q 100 0 0 70 0 0 cm /Photo Do Q BT ${font} 12 Tf 20 150 Td (By Zyanne) Tj ET EMC`
    page.node.addContentStream(context.register(context.flateStream(shown)))
    const { result, raw } = await run(document)
    expect(result.findings[0]?.count).toBe(1)
    expect(raw).not.toContain('Zyanne')
    const gone = result.report.dropped.find(({ what }) => what === 'pictures that no page shows')
    expect(gone?.count ?? 0).toBe(hidden)
    expect(result.report.warnings.filter(text => /Layers that are switched off/.test(text))).toHaveLength(hidden)
  })

  test('pictures lose their metadata and keep their pixels', async () => {
    const { document, page } = await blank()
    const jpeg = await encodePage(await typedPicture(['Nothing']), 80)
    const payload = Buffer.from('Exif\0\0Zycamera in Zytown', 'latin1')
    const head = Buffer.from([0xff, 0xe1, 0, payload.length + 2])
    const tagged = Buffer.concat([jpeg.subarray(0, 2), head, payload, jpeg.subarray(2)])
    page.drawImage(await document.embedJpg(tagged), { x: 0, y: 0, width: 100, height: 70 })
    const { raw } = await run(document)
    expect(raw).not.toMatch(/Zycamera|Exif/)
    expect(raw).toContain(Buffer.from(jpeg.subarray(-200)).toString('latin1'))
  })

  test('a value broken over two lines goes from both', async () => {
    const { document, page, font } = await blank('The sale to Mr Zacharias')
    page.drawText('Quorum was signed', { x: 20, y: 86, size: 12, font })
    const { result, raw } = await run(document, 'Zacharias\\s+Quorum')
    expect(result.findings[0]?.count).toBe(1)
    expect(raw).not.toContain(Buffer.from('Quorum').toString('hex').toUpperCase())
  })

  test.each(['66-71', '6671'])('a hyphen at the end of a line may belong to a number or not: %s', async pattern => {
    const { document, page, font } = await blank('See volume 22 for the pages 66-')
    page.drawText('71 of it', { x: 20, y: 86, size: 12, font })
    const { result, document: output } = await run(document, pattern)
    expect(result.findings[0]?.count).toBe(1)
    expect((await showPdf(await output.save())).join('|')).toMatch(/pages \[name\].*\| ?of it/)
  })

  test.each([
    ['[имя]', '[•••]', 1],
    ['[Łódź]', '[•ódz]', 1],
    ['[Straße]', '[Straße]', 0],
    ['[Dvořák]', '[Dvorák]', 0],
    ['[🙂]', '[••]', 1],
  ])('the label %s is shown as %s', async (text, shown, warnings) => {
    const { document } = await blank('Signed by Zyanne')
    const input = bufferInput('file.pdf', await document.save())
    const rule = regexRule('name', 'Zy\\w*', { replacement: { text } })
    const { report, output } = await anonymise(call({ input, rules: [rule] }))
    expect(report.rasterised).toEqual([])
    expect(report.warnings).toHaveLength(warnings)
    expect((await showPdf(await output.read(0, output.size))).join(' ')).toContain(shown)
  })
})
