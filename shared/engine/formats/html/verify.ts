import { html, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import { pushAll } from '../../lists.ts'
import { percentDecoded } from '../container/data-url-images.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { allPicturesIn, type Reread, type Shown, withoutAnyFiles } from '../text/reread.ts'
import { verifyText } from '../text/verify-text.ts'
import { parseXml } from '../xml/verify-parser.ts'
import { declaredEncoding } from './declared-encoding.ts'
import { fixedPlaces } from './fixed.ts'
import { isKnownAttribute } from './names.ts'
import { isStructural } from './tags.ts'
import { decodeDataUri, isDrawingAddress } from './values.ts'

const { TAG_NAMES } = html

/** What the content of an element is to the tokenizer, where that is no markup. */
const contents: Record<string, Tokenizer['state']> = {
  [TAG_NAMES.TITLE]: TokenizerMode.RCDATA,
  [TAG_NAMES.TEXTAREA]: TokenizerMode.RCDATA,
  [TAG_NAMES.SCRIPT]: TokenizerMode.SCRIPT_DATA,
  [TAG_NAMES.STYLE]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.XMP]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.IFRAME]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.NOEMBED]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.NOFRAMES]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.PLAINTEXT]: TokenizerMode.PLAINTEXT,
}

const isShownInside = (name: string) => name === TAG_NAMES.TITLE || name === TAG_NAMES.TEXTAREA

/** What a page shows and hides, as the tokenizer tells. */
class Rereading implements TokenHandler {
  readonly shown: Shown[] = []
  readonly hidden: string[] = []
  readonly pictures: Uint8Array[] = []
  readonly tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this)
  readonly #source: string
  /** The element whose content is no markup and not seen. */
  #raw = ''
  /** What it holds, which the tokenizer tells in pieces. */
  #rawChars: string[] = []
  #ruby = false
  #isReading = false
  /** In a section of CDATA, which browsers take for a comment that ends with the first tag. */
  #isCharacterData = false
  /** Characters of text that the tokenizer was not given. */
  #untold = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Takes the text between two tags in place of the tokenizer; false where that is to look at it after all. */
  takes(chars: string): boolean {
    if (this.#isCharacterData) return false
    this.#say(chars)
    this.#untold += chars.length
    return true
  }

  onStartTag(token: Token.TagToken): void {
    const { tagName, attrs } = token
    this.#doubt(token)
    for (const { name, value } of attrs) {
      if (!isKnownAttribute(name)) this.hidden.push(name)
      const drawing = isDrawingAddress(name, value) ? decodeDataUri(value) : undefined
      if (drawing) this.pictures.push(Buffer.from(drawing.text))
      else if (!isStructural(tagName, name, value)) this.#hide(value)
    }
    if (tagName === TAG_NAMES.RUBY) {
      this.#ruby = true
      this.#isReading = false
    } else if (readings.has(tagName)) this.#isReading = true
    else if (tagName === TAG_NAMES.RB) this.#isReading = false
    const state = contents[tagName]
    if (state === undefined) return
    this.tokenizer.state = state
    this.#raw = isShownInside(tagName) ? '' : tagName
  }

  onEndTag(token: Token.TagToken): void {
    const { tagName } = token
    this.#doubt(token)
    if (tagName === this.#raw) this.#endRaw()
    if (tagName === TAG_NAMES.RUBY) {
      this.#ruby = false
      this.#isReading = false
    } else if (readings.has(tagName) || tagName === TAG_NAMES.RB) this.#isReading = false
  }

  onComment({ data }: Token.CommentToken): void {
    this.#hide(data)
    if (data.startsWith('[CDATA[') && !data.endsWith(']]')) this.#isCharacterData = true
  }

  onDoctype({ name, publicId, systemId }: Token.DoctypeToken): void {
    for (const text of [name, publicId, systemId]) if (text) this.hidden.push(text)
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    this.#say(chars)
  }

  onNullCharacter({ chars }: Token.CharacterToken): void {
    this.#say(chars)
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    this.#say(chars)
  }

  onEof(): void {
    this.#endRaw()
  }

  #endRaw(): void {
    if (this.#rawChars.length > 0) this.#hide(this.#rawChars.join(''))
    this.#rawChars = []
    this.#raw = ''
  }

  #hide(text: string): void {
    this.hidden.push(text)
    let at = 0
    for (const { start, end, bytes } of drawingsIn(text)) {
      for (const picture of allPicturesIn(text.slice(at, start))) this.pictures.push(picture)
      this.pictures.push(bytes)
      at = end
    }
    for (const picture of allPicturesIn(text.slice(at))) this.pictures.push(picture)
  }

  #say(chars: string): void {
    if (this.#raw !== '') this.#rawChars.push(chars)
    else if (this.#ruby && this.#isReading) this.hidden.push(chars)
    else this.#show(chars)
    if (chars.includes(']]>')) this.#isCharacterData = false
  }

  #show(chars: string): void {
    const { texts, files } = withoutAnyFiles(chars)
    pushAll(this.pictures, files)
    for (const text of texts) this.shown.push(this.#isCharacterData ? { text, unsure: true } : { text })
  }

  /** What has the form of a tag and no name that HTML knows, such as an address in pointed brackets, some take for text. */
  #doubt({ tagID, location }: Token.TagToken): void {
    if (tagID !== html.TAG_ID.UNKNOWN) return
    const { startOffset, endOffset } = location!
    const text = characters(this.#source.slice(startOffset + this.#untold, endOffset + this.#untold))
    this.shown.push({ text, unsure: true })
  }
}

const addressHead = /data:image\/svg\+xml(?:;[\w=-]+)*,/gi
const unquotedEnd = /[^\w+/=%.-]/g

/** The drawings that a text holds in addresses and not in base64: up to the mark in front of them, or as far as letters of addresses go. */
function* drawingsIn(text: string): Generator<{ start: number; end: number; bytes: Uint8Array }> {
  let done = 0
  for (const { index: start, 0: head } of text.matchAll(addressHead)) {
    if (start < done || /;base64,$/i.test(head)) continue
    const from = start + head.length
    const mark = /["'](?=\s*$)/.exec(text.slice(Math.max(0, start - 9), start))?.[0]
    unquotedEnd.lastIndex = from
    const close = mark === undefined ? (unquotedEnd.exec(text)?.index ?? text.length) : text.indexOf(mark, from)
    const said = percentDecoded(text.slice(from, close < 0 ? from : close))
    if (!/^\s*</.test(said) || !/<\/svg\s*>\s*$/.test(said.slice(-100)) || !isXml(said)) continue
    done = close
    yield { start, end: close, bytes: Buffer.from(said) }
  }
}

/** Whether a text is well-formed XML: what has only the form of a drawing is a text. */
function isXml(text: string): boolean {
  const nothing = () => {}
  try {
    parseXml(text, { open: nothing, close: nothing, text: nothing, comment: nothing, doctype: nothing }, '')
    return true
  } catch {
    return false
  }
}

const readings = new Set<string>([TAG_NAMES.RT, TAG_NAMES.RP, TAG_NAMES.RTC])

/** Reads a page by the tokenizer of the HTML standard: its text in the order of the source, and all that stands beside it. */
export function rereadHtml(source: string): Reread {
  const rereading = new Rereading(source)
  feed(rereading, source)
  const { shown, hidden, pictures } = rereading
  return { shown, hidden, pictures, fixed: () => fixedPlaces(source) }
}

/**
 * Gives a page to the tokenizer, but for what is taken of the text between two tags: where nothing in it stands for something
 * else, it is what it shows.
 */
function feed(rereading: Rereading, source: string): void {
  const { tokenizer } = rereading
  // It keeps what it was given until that is much, and would copy it for each tag.
  tokenizer.preprocessor.bufferWaterline = 0
  // Within a script it copies what it keeps for each piece: each is as long as all before it.
  let kept = 0
  for (let at = 0; at < source.length; ) {
    const tag = source.indexOf('<', at)
    const end = tag < 0 ? source.length : tag
    if (end > at && tokenizer.state === TokenizerMode.DATA) {
      const chars = source.slice(at, end)
      tokenizer.flushCharacters()
      if (!/[&\0\r]/.test(chars) && rereading.takes(chars)) {
        at = end
        continue
      }
    }
    const close = source.indexOf('>', end + kept)
    const next = close < 0 ? source.length : close + 1
    tokenizer.write(source.slice(at, next), false)
    kept = tokenizer.state === TokenizerMode.DATA ? 0 : kept + next - at
    at = next
  }
  tokenizer.write('', true)
}

/** A stretch of a page read as text whatever stands in it. */
function characters(source: string): string {
  let text = ''
  const add = ({ chars }: Token.CharacterToken) => {
    text += chars
  }
  const nothing = () => {}
  const tokenizer = new Tokenizer(
    {},
    {
      onCharacter: add,
      onNullCharacter: add,
      onWhitespaceCharacter: add,
      onStartTag: nothing,
      onEndTag: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  )
  tokenizer.state = TokenizerMode.RCDATA
  tokenizer.write(source, true)
  return text
}

/** Verifies HTML; see `Format.verify`. */
export const verifyHtml = (output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> =>
  verifyText(output, expected, context, rereadHtml, declaredEncoding)
