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

/** The same with blanks in place of the declaration, and where that stands. */
export function blankedDoctype(source: string): { text: string; at?: { start: number; end: number } } {
  const found = declaration.exec(source)
  if (found === null) return { text: source }
  const [start, end] = [found[1]!.length, found[0].length]
  return { text: source.slice(0, start) + ' '.repeat(end - start) + source.slice(end), at: { start, end } }
}
