/** What a style says that sets text above or below its line. */
const shift =
  /(?:vertical-align|baseline-shift)\s*:\s*(?:super|sub(?![\w-])|text-(?:top|bottom)|top|bottom|[-+]?[\d.]*[1-9])/gi

/** Characters of the longest rule that is looked at. */
const longestRule = 2000

/** The elements (`i`) and classes (`.note`) that style sheets in a page set above or below their line, by selectors' last words. */
export function shiftedIn(html: string): ReadonlySet<string> {
  const shifted = new Set<string>()
  if (!/(?:vertical-align|baseline-shift)/i.test(html)) return shifted
  for (const { index } of html.matchAll(shift)) {
    const before = html.slice(Math.max(0, index - longestRule), index)
    const brace = before.lastIndexOf('{')
    if (brace <= before.lastIndexOf('}')) continue
    const head = before.slice(0, brace)
    const from = Math.max(...['{', '}', '<', '>', ';', '/'].map(sign => head.lastIndexOf(sign)))
    for (const selector of head.slice(from + 1).split(',')) {
      const last = selector
        .trim()
        .split(/[\s+~]+/)
        .at(-1)!
      const [, tag = '', name] = /^([\w-]*)(?:\.([\w-]+))*$/.exec(last) ?? []
      if (name !== undefined) shifted.add(`.${name}`)
      else if (tag !== '') shifted.add(tag.toLowerCase())
    }
  }
  return shifted
}

/** Whether an attribute sets its element above or below its line, given the classes that do. */
export function shifts(shifted: ReadonlySet<string>, attribute: string, value: string): boolean {
  if (attribute === 'style') return value.search(shift) >= 0
  if (attribute === 'class') return shifted.size > 0 && value.split(/\s+/).some(name => shifted.has(`.${name}`))
  return attribute === 'baseline-shift' && !/^\s*(?:baseline|[-+]?[0.]+\D*)?\s*$/.test(value)
}
