/** Elements of drawings (SVG) that text runs through. */
const lines = new Set(['text', 'tspan', 'textPath', 'tref', 'a'])

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Whether the innermost of open elements is a drawing, or stands in one. */
export const isInDrawing = (open: readonly { name: string }[]): boolean =>
  open.some(({ name }) => local(name) === 'svg')

/** Whether an element shows text of a drawing, given those around it. */
export const isDrawnText = (name: string, around: readonly { name: string }[]): boolean =>
  lines.has(local(name)) && isInDrawing(around)

/** Whether such an element stands at a place of its own, not behind the text before it. */
export const isPlaced = (attributes: readonly { name: string }[]): boolean =>
  attributes.some(({ name }) => /^(?:x|y|dy)$/.test(name))
