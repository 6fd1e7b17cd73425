/** What may follow in a JSON text, one token at a time. */
const token =
  /\s*(?:([[{])|([\]}])|[,:]|"(?:[^"\\]|\\.)*"|(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)(?=[\s,\]}]|$))/isy

/** Longest token but strings that may be cut at the end of what was read. */
const longest = 32

/**
 * Whether a text begins as JSON does and goes on so: notes and chats begin with brackets too, `[09/04/2024, 10:12] Ann: ...`.
 * `isWhole`: nothing follows it.
 */
export function looksLikeJson(text: string, isWhole: boolean): boolean {
  if (!/^\s*(?:\{\s*["}]|\[\s*(?:[[{"\]\d-]|true|false|null))/.test(text)) return false
  let depth = 0
  let at = 0
  while (at < text.length) {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found || (depth === 0 && !found[1])) return isCut(text.slice(at), isWhole)
    if (found[1]) depth++
    else if (found[2]) depth--
    at = token.lastIndex
  }
  return true
}

/** Whether a rest that is no token is blank, or the beginning of one that was cut. */
function isCut(rest: string, isWhole: boolean): boolean {
  const begun = rest.trim()
  if (begun === '') return true
  return !isWhole && (begun.length < longest || (begun.startsWith('"') && !/^"(?:[^"\\]|\\.)*"/s.test(begun)))
}
