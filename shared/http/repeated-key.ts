/**
 * A key that stands twice in one object of a text that is JSON; undefined where none does. Of the two values `JSON.parse` keeps the
 * last, and other readers may keep the first.
 */
export function repeatedKey(text: string): string | undefined {
  /** The keys of each object that is open; undefined stands for an array. */
  const open: (Set<string> | undefined)[] = []
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined)
      isKey = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      isKey = false
    } else if (char === ',') isKey = open.at(-1) !== undefined
    else if (char === '"') {
      const end = endOfString(text, at)
      if (isKey) {
        const key = JSON.parse(text.slice(at, end)) as string
        const keys = open.at(-1)!
        if (keys.has(key)) return key
        keys.add(key)
        isKey = false
      }
      at = end - 1
    }
  }
  return undefined
}

/** Where the string ends that begins at a quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
