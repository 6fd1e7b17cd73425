/** Whether the bytes of a picture are those of a drawing (SVG): no other begins as XML does. */
export const isDrawn = (bytes: Uint8Array): boolean =>
  /^\ufeff?\s*</.test(Buffer.from(bytes.subarray(0, 256)).toString())

const prologue = /\s*(?:<\?xml[^>]*\?>|<!DOCTYPE svg[^>[]*>|<!--(?:(?!-->)[\s\S])*-->)/y
const root = /\s*<svg[\s>]/y
const rootEnd = /<\/svg\s*>\s*$/

/** Whether a text is a drawing (SVG) and nothing else. */
export function isDrawing(text: string): boolean {
  if (!rootEnd.test(text.slice(-100))) return false
  let at = 0
  for (prologue.lastIndex = 0; prologue.test(text); ) at = prologue.lastIndex
  root.lastIndex = at
  return root.test(text)
}
