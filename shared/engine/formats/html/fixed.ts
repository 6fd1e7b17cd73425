import { Tokenizer } from 'htmlparser2'
import { isKnownAttribute, knownTags } from './names.ts'
import { withoutInnerEnds } from './script-ends.ts'
import { isStructural } from './tags.ts'
import { isDrawingAddress } from './values.ts'

/**
 * Where the markup's own words stand in a page: names of elements and attributes, and values that only they make up. And the
 * addresses of drawings, which are verified as files of their own.
 */
export function fixedPlaces(html: string): [number, number][] {
  const places: [number, number][] = []
  let element = ''
  let attribute = ''
  let value: [number, number] | undefined
  const tag = (start: number, end: number) => {
    if (knownTags.has(html.slice(start, end).toLowerCase())) places.push([start, end])
  }
  const nothing = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        element = html.slice(start, end).toLowerCase()
        tag(start, end)
      },
      onclosetag: tag,
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase()
        if (isKnownAttribute(attribute)) places.push([start, end])
      },
      onattribdata(start, end) {
        value = [value?.[0] ?? start, end]
      },
      onattribend() {
        const text = value ? html.slice(...value) : ''
        if (value && (isStructural(element, attribute, text) || isDrawingAddress(attribute, text))) places.push(value)
        value = undefined
      },
      onattribentity: nothing,
      onopentagend: nothing,
      onselfclosingtag: nothing,
      ontext: nothing,
      ontextentity: nothing,
      oncomment: nothing,
      oncdata: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  )
  tokenizer.write(withoutInnerEnds(html))
  tokenizer.end()
  return places
}
