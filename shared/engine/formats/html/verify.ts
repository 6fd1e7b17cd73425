import { html, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { picturesIn, type Reread, type Shown } from '../text/reread.ts'
import { verifyText } from '../text/verify-text.ts'
import { declaredEncoding } from './declared-encoding.ts'
import { fixedPlaces } from './fixed.ts'
import { isKnownAttribute, isVocabulary } from './names.ts'
import { structuralAttributes } from './tags.ts'

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

/** Reads a page by the tokenizer of the HTML standard: its text in the order of the source, and all that stands beside it. */
export function rereadHtml(source: string): Reread {
  const shown: Shown[] = []
  const hidden: string[] = []
  const pictures: Uint8Array[] = []
  /** The element whose content is no markup and not seen. */
  let raw = ''
  let ruby = false
  let isReading = false
  /** In a section of CDATA, which browsers take for a comment that ends with the first tag. */
  let isCharacterData = false
  /** Characters of text that the tokenizer was not given. */
  let untold = 0
  const aside = (text: string) => {
    hidden.push(text)
    for (const { bytes } of picturesIn(text)) pictures.push(bytes)
  }
  const say = ({ chars }: Pick<Token.CharacterToken, 'chars'>) => {
    if (raw !== '') aside(chars)
    else if (ruby && isReading) hidden.push(chars)
    else shown.push(isCharacterData ? { text: chars, unsure: true } : { text: chars })
    if (chars.includes(']]>')) isCharacterData = false
  }
  /** What has the form of a tag and no name that HTML knows, such as an address in pointed brackets, some take for text. */
  const doubt = ({ tagID, location }: Token.TagToken) => {
    if (tagID === html.TAG_ID.UNKNOWN)
      shown.push({
        text: characters(source.slice(location!.startOffset + untold, location!.endOffset + untold)),
        unsure: true,
      })
  }
  const handler: TokenHandler = {
    onStartTag(token) {
      const { tagName, attrs } = token
      doubt(token)
      for (const { name, value } of attrs) {
        if (!isKnownAttribute(name)) hidden.push(name)
        if (!structuralAttributes.has(name) || !isVocabulary(value)) aside(value)
      }
      if (tagName === TAG_NAMES.RUBY) [ruby, isReading] = [true, false]
      else if (/^(?:rt|rp|rtc)$/.test(tagName)) isReading = true
      else if (tagName === TAG_NAMES.RB) isReading = false
      const state = contents[tagName]
      if (state === undefined) return
      tokenizer.state = state
      raw = isShownInside(tagName) ? '' : tagName
    },
    onEndTag(token) {
      const { tagName } = token
      doubt(token)
      if (tagName === raw) raw = ''
      if (tagName === TAG_NAMES.RUBY) ruby = isReading = false
      else if (/^(?:rt|rp|rtc|rb)$/.test(tagName)) isReading = false
    },
    onComment({ data }) {
      aside(data)
      if (data.startsWith('[CDATA[') && !data.endsWith(']]')) isCharacterData = true
    },
    onDoctype({ name, publicId, systemId }) {
      for (const text of [name, publicId, systemId]) if (text) hidden.push(text)
    },
    onCharacter: say,
    onNullCharacter: say,
    onWhitespaceCharacter: say,
    onEof() {},
  }
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, handler)
  feed(tokenizer, source, chars => {
    if (isCharacterData) return false
    say({ chars })
    untold += chars.length
    return true
  })
  return { shown, hidden, pictures, fixed: () => fixedPlaces(source) }
}

/**
 * Gives a page to the tokenizer, but for what `says` takes of the text between two tags: where nothing in it stands for
 * something else, it is what it shows.
 */
function feed(tokenizer: Tokenizer, source: string, says: (chars: string) => boolean) {
  // It keeps what it was given until that is much, and would copy it for each tag.
  tokenizer.preprocessor.bufferWaterline = 0
  for (let at = 0; at < source.length; ) {
    const tag = source.indexOf('<', at)
    const end = tag < 0 ? source.length : tag
    if (end > at && tokenizer.state === TokenizerMode.DATA) {
      const chars = source.slice(at, end)
      tokenizer.flushCharacters()
      if (!/[&\0\r]/.test(chars) && says(chars)) {
        at = end
        continue
      }
    }
    const close = source.indexOf('>', end)
    const next = close < 0 ? source.length : close + 1
    tokenizer.write(source.slice(at, next), false)
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
