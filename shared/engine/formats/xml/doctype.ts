const quoted = /"[^"<>]*"|'[^'<>]*'/.source
const entity = `<!ENTITY\\s+[\\w.-]+\\s+(?:(?:SYSTEM|PUBLIC\\s+(?:${quoted}))\\s+)?(?:${quoted})\\s*>`
const declaration = new RegExp(
  `^(\\ufeff?(?:<\\?xml[^<>]*\\?>)?\\s*)<!DOCTYPE\\s+[\\w:.-]+(?:\\s+(?:SYSTEM|PUBLIC\\s+(?:${quoted}))\\s+(?:${quoted}))?\\s*(?:\\[(?:\\s+|${entity})*\\]\\s*)?>`,
)

/**
 * XML without a document type declaration that changes nothing of what it shows: it names a type, or entities that the
 * reader refuses where one is used. One that gives elements attributes stays, for the reader to refuse.
 */
export const withoutDoctype = (source: string): string => source.replace(declaration, '$1')
