import type { Format } from '../format.ts'

const marks = /<(?:!doctype\s+html|html|head|body|title|meta|table|div|p|span|h[1-6]|br|a|ul|ol|script|style)[\s>/]/i

/** HTML of any age and any shape, by position: nothing is repaired, nothing is written anew that no edit touches. */
export const html: Format = {
  id: 'html',
  type: 'DOCUMENT',
  mediaType: 'text/html',
  extensions: ['html', 'htm', 'xhtml'],
  propagates: true,
  keepsText: true,
  matches(head, name) {
    const wide = head[0] === 0xff || head[1] === 0
    const start = Buffer.from(head.subarray(0, 8192)).toString(wide ? 'utf16le' : 'latin1')
    const named = /\.x?html?$/i.test(name)
    if (/<!doctype\s+html|<html[\s>]/i.test(start) && /^[^<\w]*</.test(start)) return 0.96
    // Markdown may begin with an element, and its lines mean something.
    if (/\.(?:md|markdown|mdown)$/i.test(name)) return 0
    if (/^[^<\w]*</.test(start) && marks.test(start)) return named ? 0.92 : 0.6
    return named ? 0.75 : 0
  },
  // Loaded when a file is opened: telling formats apart needs none of it.
  open: async (input, context) => (await import('./read.ts')).openHtml(input, context),
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyHtml(output, expected, context),
}
