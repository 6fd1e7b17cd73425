import { EngineError } from '../../errors.ts'

const quoted = /"[^"<>]*"|'[^'<>]*'/.source
const entity = `<!ENTITY\\s+[\\w.-]+\\s+(?:(?:SYSTEM|PUBLIC\\s+(?:${quoted}))\\s+)?(?:${quoted})\\s*>`
const comment = '<!--(?:[^-]|-(?!->)){0,2000}-->\\s*'
const declaration = new RegExp(
  `^(\\ufeff?(?:<\\?xml[^<>]*\\?>)?\\s*(?:${comment})*)<!DOCTYPE\\s+[\\w:.-]+(?:\\s+(?:SYSTEM|PUBLIC\\s+(?:${quoted}))\\s+(?:${quoted}))?\\s*(?:\\[(?:\\s+|${entity})*\\]\\s*)?>`,
)

/**
 * XML without a document type declaration that changes nothing of what it shows: it names a type, or entities that the
 * reader refuses where one is used. One that gives elements attributes stays, for the reader to refuse.
 */
export const withoutDoctype = (source: string): string => source.replace(declaration, '$1')

/** A text without markup: a character by its number is one, but for those that markup begins with. */
const plain = '(?:&#(?!0*(?:37|38|60);)\\d{1,7};|&#x(?!0*(?:25|26|3[cC]);)[\\da-fA-F]{1,6};|[^<>&%])'
const internal = new RegExp(`<!ENTITY\\s+([\\w.-]+)\\s+(?:"((?:(?!")${plain})*)"|'((?:(?!')${plain})*)')\\s*>`, 'g')
const builtIn = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

/** What entities stand for that a declaration gives a text without markup. */
function entitiesOf(doctype: string): Map<string, string> {
  const entities = new Map<string, string>()
  for (const [, name = '', double, single = ''] of doctype.matchAll(internal)) {
    const text = (double ?? single).replaceAll('"', '&quot;').replaceAll("'", '&apos;')
    if (!entities.has(name) && !builtIn.has(name)) entities.set(name, text)
  }
  return entities
}

/** Places where no entity is meant, or one. */
const places = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|&([\w.-]+);/g

/**
 * XML without such a declaration, and with the texts that its entities stand for in their place, as drawings name their
 * namespaces; undefined where it has none. Throws `limit_exceeded` where that makes it larger than `limit`.
 */
export function resolvedDoctype(source: string, limit: number): string | undefined {
  const found = declaration.exec(source)
  if (found === null) return undefined
  const text = source.slice(0, found[1]!.length) + source.slice(found[0].length)
  const entities = entitiesOf(found[0])
  if (entities.size === 0) return text
  let size = text.length
  return text.replace(places, (place, name?: string) => {
    const meant = name === undefined ? undefined : entities.get(name)
    size += (meant ?? place).length - place.length
    if (size > limit) throw new EngineError('limit_exceeded', 'The entities of the XML stand for too much text')
    return meant ?? place
  })
}
