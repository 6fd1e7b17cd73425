import { describe, expect, test } from 'vitest'
import { anonymousFont, anonymousProfile } from '../../../shared/engine/formats/pdf/fonts/font-programs.ts'
import { stripJpx } from '../../../shared/engine/formats/pdf/pictures/jpx.ts'

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const u32 = (value: number) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)])
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1')

/** A file of tables as TrueType has them. */
const tables = (kind: string, entries: Record<string, Buffer>): Buffer => {
  const list = Object.entries(entries)
  let at = 12 + 16 * list.length
  const heads = list.map(([tag, { length }]) => {
    const head = Buffer.concat([Buffer.from(tag), u32(0), u32(at), u32(length)])
    at += length
    return head
  })
  const counts = Buffer.concat([u16(list.length), u16(0), u16(0), u16(0)])
  return Buffer.concat([Buffer.from(kind, 'latin1'), counts, ...heads, ...list.map(([, bytes]) => bytes)])
}

const index = (parts: string[]): Buffer => {
  const bytes = parts.map(part => Buffer.from(part, 'latin1'))
  let offset = 1
  const offsets = [1, ...bytes.map(part => (offset += part.length))]
  return Buffer.concat([u16(parts.length), Buffer.from([1, ...offsets]), ...bytes])
}

/** A font in the compact format: its notice is its first string of its own, the name of a glyph the second. */
const compact = (): Buffer => {
  const dict = Buffer.concat([Buffer.from([248, 27]), Buffer.from([1])]).toString('latin1')
  return Buffer.concat([
    Buffer.from([1, 0, 4, 1]),
    index(['ZyFontname']),
    index([dict]),
    index(['Zynotice', 'Zyglyph']),
  ])
}

describe('texts in what a PDF embeds', () => {
  test('a TrueType font keeps its glyphs and loses its names', () => {
    const glyphs = Buffer.from('outlines that stay..')
    const font = tables('\0\x01\0\0', {
      glyf: glyphs,
      head: Buffer.alloc(56, 1),
      name: Buffer.from('\0\0\0\x01\0\x06Zyfoundry'),
      // The typeface that printers know it by.
      PCLT: Buffer.concat([Buffer.alloc(26), Buffer.from('Zyface          ')]),
    })
    const cleaned = anonymousFont(font)
    expect(cleaned).toHaveLength(font.length)
    expect(text(cleaned)).not.toContain('Zy')
    expect(text(cleaned)).toContain('outlines that stay..')
    let sum = 0
    const padded = Buffer.concat([cleaned!, Buffer.alloc(4)])
    for (let at = 0; at + 4 <= cleaned!.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0
    expect(sum).toBe(0xb1b0afba)
  })

  test.each([
    ['alone', compact()],
    ['in OpenType', tables('OTTO', { 'CFF ': compact() })],
  ])('a compact font, %s, loses its notice and its name and keeps its glyphs', (_, font) => {
    const cleaned = text(anonymousFont(font))
    expect(cleaned).not.toMatch(/Zyfont|Zynotice/i)
    expect(cleaned).toContain('Zyglyph')
    expect(cleaned).toHaveLength(font.length)
  })

  test('a Type 1 font loses comments and notices of its clear part', () => {
    const font = Buffer.from(
      '%!PS-AdobeFont-1.0: Zyname\n%Zycomment\n/Notice (By (c) Zyfoundry) readonly def\n/FontName /Zyname def\neexec secret',
    )
    const cleaned = text(anonymousFont(font))
    expect(cleaned).not.toContain('Zy')
    expect(cleaned).toContain('%!PS-AdobeFont-1.0:')
    expect(cleaned).toMatch(/\/FontName \/FFFFFF def\neexec secret$/)
    expect(cleaned).toHaveLength(font.length)
  })

  test('damaged fonts and other bytes come back unchanged or not at all', () => {
    const whole = tables('OTTO', { 'CFF ': compact(), name: Buffer.from('Zy') })
    for (let length = 0; length < whole.length; length++)
      expect(() => anonymousFont(whole.subarray(0, length))).not.toThrow()
    expect(anonymousFont(Buffer.from('no font'))).toBeUndefined()
  })

  test('a colour profile loses its descriptions', () => {
    const entry = (tag: string, start: number, length: number) =>
      Buffer.concat([Buffer.from(tag), u32(start), u32(length)])
    const described = Buffer.concat([Buffer.from('desc\0\0\0\0'), u32(9), Buffer.from('Zydevice\0')])
    const noted = Buffer.from('text\0\0\0\0Zyright 2001')
    const curve = Buffer.from('curv\0\0\0\0stays')
    const start = 132 + 36
    const head = Buffer.concat([Buffer.alloc(36), Buffer.from('acsp'), Buffer.alloc(88), u32(3)])
    const profile = Buffer.concat([
      head,
      entry('desc', start, described.length),
      entry('cprt', start + described.length, noted.length),
      entry('rTRC', start + described.length + noted.length, curve.length),
      described,
      noted,
      curve,
    ])
    const cleaned = anonymousProfile(profile)
    expect(text(cleaned)).not.toContain('Zy')
    expect(text(cleaned)).toContain('stays')
    expect(cleaned).toHaveLength(profile.length)
    expect(anonymousProfile(Buffer.alloc(200))).toBeUndefined()
  })

  test('a JPEG 2000 picture loses its metadata and the comments of its stream', () => {
    const box = (kind: string, bytes: Buffer) => Buffer.concat([u32(8 + bytes.length), Buffer.from(kind), bytes])
    const comment = Buffer.concat([u16(0xff64), u16(4 + 9), u16(1), Buffer.from('Zycomment')])
    const stream = Buffer.concat([u16(0xff4f), comment, u16(0xff90), Buffer.from('\0\x0apixels')])
    const picture = Buffer.concat([
      box('jP  ', Buffer.from('\r\n\x87\n', 'latin1')),
      box('xml ', Buffer.from('<a>Zyxml</a>')),
      box('jp2h', Buffer.from('size')),
      box('uuid', Buffer.from('Zyexif')),
      box('jp2c', stream),
    ])
    const cleaned = text(stripJpx(picture))
    expect(cleaned).not.toContain('Zy')
    expect(cleaned).toContain('size')
    expect(cleaned).toContain('pixels')
    expect(text(stripJpx(stream))).not.toContain('Zy')
    expect(stripJpx(Buffer.from(cleaned, 'latin1'))).toBeUndefined()
  })
})
