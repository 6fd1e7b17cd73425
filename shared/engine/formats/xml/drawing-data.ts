/** Elements of drawings (SVG), in small letters, whose attributes say where and how something is drawn. */
const elements = new Set(
  `animate animatemotion animatetransform circle clippath ellipse feblend fecolormatrix fecomposite feconvolvematrix
  fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur
  feimage femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter foreignobject g
  glyph image line lineargradient marker mask mpath path pattern polygon polyline radialgradient rect stop svg symbol text
  textpath tref tspan use view`.split(/\s+/),
)

/** Attributes of theirs that are numbers. */
const numeric = new Set(
  `amplitude azimuth basefrequency begin cx cy dur dx dy elevation end exponent fill-opacity flood-opacity font-size fr from fx
  fy height intercept k1 k2 k3 k4 kernelmatrix keypoints keysplines keytimes letter-spacing markerheight markerwidth offset
  opacity pathlength r radius refx refy rotate rx ry scale slope startoffset stddeviation stop-opacity stroke-dasharray
  stroke-dashoffset stroke-miterlimit stroke-opacity stroke-width tablevalues textlength to values viewbox width word-spacing
  x x1 x2 y y1 y2`.split(/\s+/),
)

const colours = new Set(['color', 'fill', 'flood-color', 'lighting-color', 'stop-color', 'stroke'])
const colour = /^\s*(?:#[0-9a-f]{3,8}|rgba?\([\d\s,.%/]{1,60}\))\s*$/i

/** A number as drawings have them: whole numbers of more digits are no coordinates. */
const number = String.raw`[+-]?(?:\d{1,7}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?(?![\d])`
const nextNumber = new RegExp(String.raw`[\s,]*${number}`, 'iy')
const parted = new RegExp(
  String.raw`\s*${number}(?:%|[cm]m|deg|em|ex|g?rad|in|ms|p[ctx]|rem|s|turn|v[hw])?(?:\s*[,;]|(?=\s|$))`,
  'iy',
)
const nextFlag = /[\s,]*[01]/y
const nextCommand = /[\s,]*([MLHVCSQTAZ])/iy
const transformation = /[\s,]*(?:matrix|translate|scale|rotate|skew[XY])\s*\(([^()]*)\)/iy
const blanks = /\s*$/y

/** Numbers that each command of a path takes at once. */
const taken: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

/** Steps over what an expression finds at a place: where it ends, or -1. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

const isEnd = (text: string, at: number) => after(blanks, text, at) >= 0

/** Where the numbers of one command end; -1 where they are not as many as it takes. */
function afterNumbers(text: string, from: number, command: string): number {
  const wanted = taken[command]!
  let at = from
  for (let count = 0; ; count++) {
    const isFlag = command === 'A' && (count % wanted === 3 || count % wanted === 4)
    const next = wanted === 0 ? -1 : after(isFlag ? nextFlag : nextNumber, text, at)
    if (next < 0) return count === 0 ? (wanted === 0 ? at : -1) : count % wanted === 0 ? at : -1
    at = next
  }
}

function isPath(text: string): boolean {
  let at = 0
  while (!isEnd(text, at)) {
    nextCommand.lastIndex = at
    const command = nextCommand.exec(text)?.[1]?.toUpperCase()
    if (command === undefined || (at === 0 && command !== 'M')) return false
    at = afterNumbers(text, nextCommand.lastIndex, command)
    if (at < 0) return false
  }
  return true
}

function isAll(pattern: RegExp, text: string): boolean {
  let at = 0
  while (!isEnd(text, at)) {
    at = after(pattern, text, at)
    if (at < 0) return false
  }
  return true
}

function isTransformation(text: string): boolean {
  let at = 0
  while (!isEnd(text, at)) {
    transformation.lastIndex = at
    const numbers = transformation.exec(text)?.[1]
    if (numbers === undefined || !isAll(nextNumber, numbers)) return false
    at = transformation.lastIndex
  }
  return true
}

/**
 * Whether the value of an attribute in a drawing is wholly data of the drawing by its grammar: a path, coordinates, a colour. It is no
 * text, and a replacement in it would break the drawing. Element and attribute are without a prefix.
 */
export function isDrawingData(element: string, attribute: string, value: string): boolean {
  if (!elements.has(element.toLowerCase())) return false
  const name = attribute.toLowerCase()
  if (name === 'd' || name === 'path') return isPath(value)
  if (name === 'points') return isAll(nextNumber, value)
  if (name === 'transform' || name === 'gradienttransform' || name === 'patterntransform')
    return isTransformation(value)
  return numeric.has(name) ? isAll(parted, value) : colours.has(name) && colour.test(value)
}
