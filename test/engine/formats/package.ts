import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** One entry of an archive; `size` and `crc` are the true ones unless given, so that forged archives can be made. */
type Entry = {
  name: string
  content: string | Uint8Array
  size?: number
  crc?: number
  flags?: number
  at?: number
  store?: boolean
  /** Whether `content` is deflated already; `size` and `crc` must be given then. */
  packed?: boolean
}

/** Makes a ZIP archive by hand, independently of the writer under test. */
export function makeZip(entries: Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, size, crc, flags = 0, at, store, packed: isPacked } of entries) {
    const data = Buffer.from(content)
    const packed = store || isPacked ? data : deflateRawSync(data)
    const label = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(flags, 6)
    local.writeUInt16LE(store ? 0 : 8, 8)
    local.writeUInt32LE(crc ?? crc32(data), 14)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(size ?? data.length, 22)
    local.writeUInt16LE(label.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    local.copy(central, 6, 4, 30)
    central.writeUInt32LE(at ?? offset, 42)
    parts.push(local, label, packed)
    directory.push(central, label)
    offset += 30 + label.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}

/** Reads an archive by its local headers or its directory, by other code than the one under test. */
export function readZip(archive: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(archive)
  const entries = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1')) + 16)
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [name, extra, comment] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const raw = bytes.subarray(start, start + packed)
    entries.set(
      bytes.toString('utf8', at + 46, at + 46 + name),
      method === 0 || packed === 0 ? raw : inflateRawSync(raw),
    )
    at += 46 + name + extra + comment
  }
  return entries
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** A relationship: its id, the last word of its type, its target, whether that is outside of the package. */
export type Link = [id: string, kind: string, target: string, external?: boolean]

/** The text of a part of relationships. */
export function relationships(links: Link[]): string {
  const items = links.map(([id, kind, target, external]) => {
    const mode = external ? ' TargetMode="External"' : ''
    return `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"${mode}/>`
  })
  return `${xml}<Relationships xmlns="${packages}/relationships">${items.join('')}</Relationships>`
}

/** An Office file: its main part, any others, links from the package itself; every part is listed among the types. */
export function makeOffice(main: string, parts: Record<string, string | Uint8Array>, links: Link[] = []): Buffer {
  const overrides = Object.keys(parts)
    .filter(name => name.endsWith('.xml'))
    .map(name => `<Override PartName="/${name}" ContentType="application/xml"/>`)
  const types = `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/xml"/>${overrides.join('')}</Types>`
  return makeZip([
    { name: '[Content_Types].xml', content: types },
    { name: '_rels/.rels', content: relationships([['rId1', 'officeDocument', main], ...links]) },
    ...Object.entries(parts).map(([name, content]) => ({ name, content })),
  ])
}

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** A Word document with this body and, beside it, these parts and links from the main part. */
export function makeDocx(body: string, parts: Record<string, string | Uint8Array> = {}, links: Link[] = []): Buffer {
  const document = `${xml}<w:document ${w} xmlns:r="${office}"><w:body>${body}</w:body></w:document>`
  return makeOffice('word/document.xml', {
    'word/document.xml': document,
    'word/_rels/document.xml.rels': relationships(links),
    ...parts,
  })
}

const oasis = 'urn:oasis:names:tc:opendocument:xmlns:'
const prefixes = ['office', 'text', 'table', 'draw', 'style', 'meta', 'config', 'manifest']
const declared = [
  ...prefixes.map(name => `xmlns:${name}="${oasis}${name}:1.0"`),
  'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"',
].join(' ')

/** An OpenDocument file of a kind (`text`, `spreadsheet`) with this body and, beside it, these parts. */
export function makeOdf(kind: string, body: string, parts: Record<string, string | Uint8Array> = {}): Buffer {
  const content = `${xml}<office:document-content ${declared}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`
  const all = { 'content.xml': content, ...parts }
  const entries = ['/', ...Object.keys(all)].map(
    path => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="text/xml"/>`,
  )
  const manifest = `${xml}<manifest:manifest ${declared}>${entries.join('')}</manifest:manifest>`
  return makeZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}`, store: true },
    ...Object.entries(all).map(([name, text]) => ({ name, content: text })),
    { name: 'META-INF/manifest.xml', content: manifest },
  ])
}
