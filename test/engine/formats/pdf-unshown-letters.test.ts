import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, PDFName, type PDFRef } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from './pdf-samples.ts'

const program = 'qpdf'

const hasQpdf = spawnSync(program, ['--version']).error === undefined

/** The objects of a PDF as text, decompressed by a program that shares no code with the product. */
const plainObjects = (bytes: Uint8Array): string => {
  const home = mkdtempSync(join(tmpdir(), 'qpdf-'))
  try {
    writeFileSync(join(home, 'in.pdf'), bytes)
    const { stdout } = spawnSync(program, ['--qdf', '--object-streams=disable', 'in.pdf', '-'], { cwd: home })
    return stdout.toString('latin1')
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** All that the maps and encodings of a PDF list, each list's letters joined. */
const listedLetters = (bytes: Uint8Array): string[] => {
  const objects = plainObjects(bytes)
  const maps = Array.from(objects.matchAll(/begincmap[\s\S]*?endcmap/g), ([map]) =>
    Array.from(map.matchAll(/^\s*<[\da-f]+>\s*(?:<[\da-f]+>\s*)?<([\da-f]+)>$/gim), ([, target = '']) =>
      Buffer.from(target, 'hex').swap16().toString('utf16le'),
    ).join(''),
  )
  const encodings = Array.from(objects.matchAll(/\/Differences \[([^\]]*)\]/g), ([, list = '']) =>
    list.replace(/[\s/\d]/g, ''),
  )
  return [...maps, ...encodings]
}

/** A font whose codes from `first` on stand for letters, in this order; the last codes no page shows. */
const fontOf = (document: PDFDocument, letters: string, way: 'map' | 'ranges' | 'encoding', first: number): PDFRef => {
  const { context } = document
  const code = (at: number) => `<${(at + first).toString(16).padStart(2, '0')}>`
  const unicode = (letter: string) => `<${letter.charCodeAt(0).toString(16).padStart(4, '0')}>`
  const entries = [...letters].map((letter, at) =>
    way === 'ranges' ? `${code(at)} ${code(at)} ${unicode(letter)}` : `${code(at)} ${unicode(letter)}`,
  )
  const section = way === 'ranges' ? 'bfrange' : 'bfchar'
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
    1 begincodespacerange <00> <ff> endcodespacerange
    ${entries.length} begin${section}\n${entries.join('\n')}\nend${section} endcmap end end`
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Courier',
      Encoding: { Type: 'Encoding', Differences: [first, ...[...letters].map(letter => PDFName.of(letter))] },
      ...(way !== 'encoding' && { ToUnicode: context.register(context.flateStream(map)) }),
    }),
  )
}

const order = 'XaverHubwolkMnit'

/** Two lines: the name, spelt by codes in the order of a font's list, and one of letters that stay. */
const sample = async (way: 'map' | 'ranges' | 'encoding', staying: string, first: number) => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([400, 200])
  const [used, unused] = [fontOf(document, order, way, first), fontOf(document, 'XaverHub', way, first)]
  const codes = (text: string) =>
    [...text].map(letter => (order.indexOf(letter) + first).toString(16).padStart(2, '0')).join('')
  const content = `/F2 9 Tf BT /F1 12 Tf 20 100 Td <${codes('XaverHub')}> Tj 0 -40 Td <${codes(staying)}> Tj ET`
  page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F1: used, F2: unused } }))
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)))
  return document.save({ useObjectStreams: false })
}

test.skipIf(!hasQpdf).each([
  ['a map', 'map'],
  ['a map of ranges', 'ranges'],
  ['an encoding', 'encoding'],
] as const)('%s spells no replaced value, and the page stays text', async (_, way) => {
  // In the second line all letters of the name stay in use: only their order tells it.
  // The code of the usual space may stand for one of them.
  for (const [staying, first] of [
    ['wolkMnit', 1],
    ['HuXavberMnit', 1],
    ['wolkMnit', 0x20 - order.indexOf('k')],
  ] as const) {
    const input = await sample(way, staying, first)
    expect(listedLetters(input).join('|')).toContain('XaverHub')
    const { output, report } = await anonymise(
      call({ input: bufferInput('file.pdf', input), rules: [regexRule('name', 'XaverHub')] }),
    )
    const after = await output.read(0, output.size)
    expect(report.rasterised).toEqual([])
    expect((await showPdf(after)).join('\n')).toContain(staying)
    const lists = listedLetters(after)
    const kept = [...new Set(staying)].sort().join('')
    expect(lists).toContain(kept)
    expect(lists.filter(text => /XaverHub/i.test(text))).toEqual([])
  }
})
