import { EngineError } from '../../errors.ts'
import { picturesIn, type Reread } from '../text/reread.ts'
import { isDrawnText, isPlaced } from './drawn-text.ts'
import { isKnownVocabulary } from './known-vocabularies.ts'
import { type ParsedAttribute, parseXml } from './verify-parser.ts'

/** An element: its texts and children in order, whether its text runs on through them, and whether it begins a line. */
type Node = { name: string; mixed: boolean; beginsLine: boolean; content: (string | Node)[] }

/** The text of an element with text of its own runs on through its children; those of any other are texts of their own. */
function textsOf(root: Node): string[] {
  const texts: string[] = []
  const read = (node: Node, around: number | undefined) => {
    const own = around ?? texts.push('') - 1
    for (const item of node.content) {
      if (typeof item === 'string') texts[own] += node.mixed ? item : ''
      else {
        if (node.mixed && item.beginsLine) texts[own] += '\n'
        read(item, node.mixed ? own : undefined)
      }
    }
  }
  read(root, undefined)
  return texts
}

/** Reads XML by a parser of its own: texts by element, and all that stands beside them. Throws `corrupt_file`. */
export function rereadXml(source: string): Reread {
  const top: Node = { name: '', mixed: false, beginsLine: false, content: [] }
  const open = [top]
  const hidden: string[] = []
  const pictures: Uint8Array[] = []
  const structure = new Set<string>()
  const add = (text: string, more: boolean) => {
    const node = open.at(-1)!
    if (node === top) return
    node.content.push(text)
    node.mixed ||= more
  }
  /** Words beside the texts, each once. */
  const words = new Set<string>()
  const word = (text: string, isKnown: boolean) => void (isKnown ? structure : words).add(text)
  /** Whether each prefix stands for a vocabulary that everybody knows. */
  const scopes = [new Map([['xml', true]])]
  const attributeName = (name: string, scope: Map<string, boolean>, ofKnown: boolean) => {
    const colon = name.indexOf(':')
    word(name, colon < 0 ? ofKnown || name === 'xmlns' : scope.get(name.slice(0, colon)) === true)
  }
  /** Takes the values of an element's attributes, and answers what prefixes stand for within it. */
  const readValues = (attributes: readonly ParsedAttribute[]): Map<string, boolean> => {
    const declared: [string, boolean][] = []
    for (const { name, value } of attributes) {
      const prefix = /^xmlns(?::(.*))?$/.exec(name)
      const isKnown = prefix !== null && isKnownVocabulary(value)
      if (prefix) declared.push([prefix[1] ?? '', isKnown])
      word(value, isKnown)
      for (const { bytes } of picturesIn(value)) pictures.push(bytes)
    }
    return declared.length > 0 ? new Map([...scopes.at(-1)!, ...declared]) : scopes.at(-1)!
  }
  parseXml(
    source,
    {
      open(name, attributes) {
        const isDrawn = isDrawnText(name, open)
        const node: Node = { name, mixed: isDrawn, beginsLine: isDrawn && isPlaced(attributes), content: [] }
        open.at(-1)!.content.push(node)
        open.push(node)
        const scope = readValues(attributes)
        scopes.push(scope)
        const ofKnown = scope.get(name.slice(0, Math.max(0, name.indexOf(':')))) === true
        word(name, ofKnown)
        for (const attribute of attributes) attributeName(attribute.name, scope, ofKnown)
      },
      close() {
        open.pop()
        scopes.pop()
      },
      text: (text, cdata) => add(text, cdata || /[^ \t\r\n]/.test(text)),
      comment: text => void hidden.push(text),
      instruction(target, body, isDeclaration) {
        if (!isDeclaration) hidden.push(target, body)
        else
          for (const [, name, , value] of body.matchAll(/(\w+)\s*=\s*(["'])(.*?)\2/g)) structure.add(`${name}=${value}`)
      },
      doctype() {
        throw new EngineError('corrupt_file', 'The XML has a document type declaration')
      },
    },
    'The XML of the output is not well-formed',
  )
  for (const text of words) hidden.push(text)
  return { shown: textsOf(top).map(text => ({ text })), each: 'parts', hidden, pictures, structure }
}
