import type { Format } from '../format.ts'
import { fromFirstField, tellingFields } from './beginning.ts'

/** Bytes that a header is looked for in; it may be longer. */
const inspected = 16_384

const telling = new RegExp(`^(?:${tellingFields})[ \\t]*:`, 'gim')
/** Fields, words and first lines that programs write, and nobody who copies the beginning of a mail into a text. */
const ofPrograms =
  /^From |^(?:received|return-path|message-id|mime-version|content-[a-z-]+|delivered-to|dkim-signature|references|in-reply-to|x-[!-9;-~]+)[ \t]*:|=\?[\w-]+\?[bq]\?/im

/** E-mail messages (RFC 5322, MIME): every header, body, attachment and message inside of it. */
export const eml: Format = {
  id: 'eml',
  type: 'DOCUMENT',
  mediaType: 'message/rfc822',
  extensions: ['eml', 'mht', 'mhtml'],
  propagates: true,
  keepsText: true,
  matches(head, name) {
    const text = fromFirstField(Buffer.from(head.subarray(0, inspected)).toString('latin1'))
    const [whole = '', header = ''] =
      /^(?:From [^\r\n]*\r?\n)?((?:[!-9;-~]+[ \t]*:(?:[^\r\n]|\r?\n[ \t])*(?:\r?\n|$))+)/.exec(text) ?? []
    const known = header.match(telling)
    const count = new Set(known?.map(item => item.toLowerCase())).size
    if (/\.(?:eml|mht|mhtml)$/i.test(name)) return count > 0 ? 0.97 : 0
    // A text that begins like a message, such as a copied one, has no blank line behind its header.
    const ends = head.length >= inspected || whole.length === text.length || /^\r?\n/.test(text.slice(whole.length))
    return count >= 3 && ends && ofPrograms.test(whole) ? 0.9 : 0
  },
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  open: async (input, context) => (await import('./open.ts')).openEml(input, context),
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyMail(output, expected, context),
}
