/** Elements of drawings (SVG) that text runs through. */
const lines = new Set(['text', 'tspan', 'textPath', 'tref', 'a'])

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Whether an element is a drawing or, as the one around it, stands in one. */
export const isInDrawing = (name: string, around: { isDrawn: boolean } | undefined): boolean =>
  around?.isDrawn === true || local(name) === 'svg'

/** Whether an element shows text of a drawing, given the one around it. */
export const isDrawnText = (name: string, around: { isDrawn: boolean } | undefined): boolean =>
  around?.isDrawn === true && lines.has(local(name))

/** Whether such an element stands at a place of its own, not behind the text before it. */
export const isPlaced = (attributes: readonly { name: string }[]): boolean =>
  attributes.some(({ name }) => /^(?:x|y|dy)$/.test(name))
