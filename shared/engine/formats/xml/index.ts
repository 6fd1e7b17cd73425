import type { Format } from '../format.ts'

const declared = (bytes: Buffer) =>
  /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1]

/** XML without a DTD: texts, attributes, names, comments and instructions by position. */
export const xml: Format = {
  id: 'xml',
  type: 'DOCUMENT',
  mediaType: 'application/xml',
  extensions: ['xml', 'xsd', 'xsl', 'xslt', 'kml', 'gpx', 'rss', 'atom', 'svg'],
  propagates: true,
  keepsText: true,
  matches(head, name) {
    const wide = head[0] === 0xff || head[1] === 0
    const start = Buffer.from(head.subarray(0, 4096)).toString(wide ? 'utf16le' : 'utf8')
    const named = /\.(xml|xsd|xslt?|kml|gpx|rss|atom|svg)$/i.test(name)
    // A page may begin with a declaration of XML and be none: browsers read what is called a page as one.
    const isPage = /<html[\s>]/i.test(start) || /\.html?$/i.test(name)
    if (/^\ufeff?\s*<\?xml[\s?]/.test(start)) return isPage ? 0.5 : 0.95
    return /^\ufeff?\s*<[A-Za-z_!]/.test(start) ? (named ? 0.9 : 0.3) : named ? 0.7 : 0
  },
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  async open(input, context) {
    const { openText } = await import('../text/text-file.ts')
    return openText(input, context, (await import('./read.ts')).extractXml, declared)
  },
  async verify(output, expected, context) {
    const { verifyText } = await import('../text/verify-text.ts')
    return verifyText(output, expected, context, (await import('./verify.ts')).rereadXml, declared)
  },
}
