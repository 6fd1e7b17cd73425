import type { Segment } from '../format.ts'
import { nameWording, spokenWording } from '../office/wording.ts'
import { isDrawingData } from '../xml/drawing-data.ts'
import { isMadeUp, isVocabulary, knownTags } from './names.ts'

const words = (text: string) => new Set(text.split(/\s+/))

const inlineTags = words(
  `a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark nobr q rb rp rt rtc ruby s samp small span
  strike strong sub sup time tt u var wbr br picture source o:p`,
)

/** What Office recognises in a text and marks: names, places and dates (`st1:Sn`), and their parts. */
const smartTag = /^st\d{1,3}:/

/** Whether an element stands inside of a line: text goes on through it. All others begin and end a segment. */
export const isInline = (tag: string): boolean => inlineTags.has(tag) || smartTag.test(tag)

const emptyTags = words(
  `area base basefont bgsound br col embed frame hr image img input keygen link meta param source spacer track wbr`,
)

/** Whether an element holds nothing and has no end tag. */
export const isEmpty = (tag: string): boolean => emptyTags.has(tag)

/** Elements that stand inside of a line unless a style says otherwise, as it often does, and so does one that a program made up. */
const looseTags = words('label output slot')

/** Whether what stands before and behind such a tag is one line to some and two to others. */
export const isLoose = (tag: string): boolean =>
  looseTags.has(tag) || (!knownTags.has(tag) && isMadeUp(tag) && !isInline(tag))

/** Elements inside of a line of a drawing, unless an attribute says where they stand; and those attributes. */
export const drawnInline = words('tspan textpath tref')
export const placing = words('x y dy')

/** Elements whose content is text to the tokenizer, entities and all. */
export const rawTags = words('script style xmp iframe noembed noframes plaintext')

/** Attributes whose values are words of the markup itself, numbers or drawing commands. */
const structuralAttributes = words(
  `align async autocomplete autofocus bgcolor border cellpadding cellspacing charset checked clear color cols colspan
  contenteditable controls coords crossorigin cx cy d decoding defer dir disabled draggable enctype face fill
  fill-opacity fill-rule font-size frameborder gradienttransform gradientunits headers height hidden hspace http-equiv
  integrity kind lang loading maxlength media method min max minlength multiple nohref noshade novalidate nowrap offset
  opacity points preserveaspectratio readonly referrerpolicy rel required reversed role rows rowspan rules r rx ry
  scope scrolling selected shape size sizes span spellcheck start step stroke stroke-linecap stroke-linejoin
  stroke-width tabindex target text-anchor transform type valign viewbox version vlink vspace width wrap x
  x1 x2 xml:lang xml:space xmlns xmlns:xlink y y1 y2`,
)

/** Whether the value of an element's attribute says nothing but how the page is made or drawn. All in small letters but the value. */
export const isStructural = (tag: string, attribute: string, value: string): boolean =>
  (structuralAttributes.has(attribute) && isVocabulary(value)) || isDrawingData(tag, attribute, value)

/** Attributes that hold an address. */
export const urlAttributes = words(
  'href src action formaction poster cite background data longdesc xlink:href codebase',
)

/** Attributes that people write to be read. */
const spoken = words(
  `abbr alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext content label placeholder
  standby summary title`,
)

/** Attributes that only programs read. */
const code = words(
  `accept accesskey class data-toggle datetime for form id inputmode is itemid itemprop itemref itemtype list name nonce
  part pattern property sandbox slot srcset style usemap`,
)

/** What the text of an attribute is; of others than these its form tells. */
export function attributeWording(attribute: string, text: string): Segment['wording'] {
  if (spoken.has(attribute)) return spokenWording(text)
  return code.has(attribute) || attribute.startsWith('on') ? 'code' : nameWording(text)
}
