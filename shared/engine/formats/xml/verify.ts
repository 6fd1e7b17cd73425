import { SaxesParser } from 'saxes'
import { EngineError } from '../../errors.ts'
import { picturesIn, type Reread } from '../text/reread.ts'
import { isDrawnText, isPlaced } from './drawn-text.ts'
import { isKnownVocabulary } from './known-vocabularies.ts'

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
  const parser = new SaxesParser({ position: false })
  const add = (text: string, more: boolean) => {
    const node = open.at(-1)!
    if (node === top) return
    node.content.push(text)
    node.mixed ||= more
  }
  const word = (text: string, isKnown: boolean) => {
    if (isKnown) structure.add(text)
    else hidden.push(text)
  }
  /** Whether each prefix stands for a vocabulary that everybody knows. */
  const scopes = [new Map([['xml', true]])]
  const attributeNames = (names: readonly string[], scope: Map<string, boolean>, ofKnown: boolean) => {
    for (const name of names) {
      const [prefix = '', local] = name.split(':')
      word(name, local === undefined ? ofKnown || name === 'xmlns' : scope.get(prefix) === true)
    }
  }
  parser.on('opentag', tag => {
    const isDrawn = isDrawnText(tag.name, open)
    const placed = isPlaced(Object.keys(tag.attributes).map(name => ({ name })))
    const node: Node = { name: tag.name, mixed: isDrawn, beginsLine: isDrawn && placed, content: [] }
    open.at(-1)!.content.push(node)
    open.push(node)
    const declared: [string, boolean][] = []
    for (const [name, value] of Object.entries(tag.attributes)) {
      const prefix = /^xmlns(?::(.*))?$/.exec(name)
      const isKnown = prefix !== null && isKnownVocabulary(value)
      if (prefix) declared.push([prefix[1] ?? '', isKnown])
      word(value, isKnown)
      for (const { bytes } of picturesIn(value)) pictures.push(bytes)
    }
    const scope = declared.length > 0 ? new Map([...scopes.at(-1)!, ...declared]) : scopes.at(-1)!
    scopes.push(scope)
    const colon = tag.name.indexOf(':')
    const ofKnown = scope.get(tag.name.slice(0, Math.max(0, colon))) === true
    word(tag.name, ofKnown)
    attributeNames(Object.keys(tag.attributes), scope, ofKnown)
  })
  parser.on('closetag', () => {
    open.pop()
    scopes.pop()
  })
  parser.on('text', text => add(text, /[^ \t\r\n]/.test(text)))
  parser.on('cdata', text => add(text, true))
  parser.on('xmldecl', declaration => {
    for (const [name, value] of Object.entries(declaration)) if (value !== undefined) structure.add(`${name}=${value}`)
  })
  parser.on('comment', text => void hidden.push(text))
  parser.on('processinginstruction', ({ target, body }) => void hidden.push(target, body))
  parser.on('doctype', () => {
    throw new EngineError('corrupt_file', 'The XML has a document type declaration')
  })
  parser.on('error', () => {
    throw new EngineError('corrupt_file', 'The XML of the output is not well-formed')
  })
  parser.write(source).close()
  return { shown: textsOf(top).map(text => ({ text })), each: 'parts', hidden, pictures, structure }
}
