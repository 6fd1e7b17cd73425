import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { EngineError } from '../../../shared/engine/errors.ts'
import { parseXml, type XmlEvents } from '../../../shared/engine/formats/xml/verify-parser.ts'

/** Writes down what a parser tells of a document; the canonical names hold the namespaces. */
function recorder(log: string[]) {
  return {
    open: (name, attributes, canonical) =>
      void log.push(
        `<${name} ${canonical}>`,
        ...attributes.map(({ name, canonical, value }) => `@${name} ${canonical} ${value}`),
      ),
    close: () => void log.push('</>'),
    text: (text, cdata) => void log.push(`${cdata ? 'cdata' : 'text'} ${text}`),
    comment: text => void log.push(`comment ${text}`),
    instruction: (target, body, isDeclaration) => void (isDeclaration || log.push(`instruction ${target} ${body}`)),
    doctype: () => void log.push('doctype'),
    canonical: (uri, local) => `{${uri}}${local}`,
  } satisfies XmlEvents
}

function ours(source: string): string[] | undefined {
  const log: string[] = []
  try {
    parseXml(source, recorder(log), 'Not well-formed')
    return log
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError)
    return undefined
  }
}

function theirs(source: string): string[] | undefined {
  const log: string[] = []
  const events = recorder(log)
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  const canonical = (name: string, uri: string, local: string) => (/^xmlns/.test(name) ? name : `{${uri}}${local}`)
  parser.on('opentag', ({ name, uri, local, attributes }) => {
    depth++
    const list = Object.values(attributes).map(one => ({
      name: one.name,
      canonical: one.prefix === '' ? one.name : canonical(one.name, one.uri, one.local),
      value: one.value,
    }))
    events.open(name, list, `{${uri}}${local}`)
  })
  parser.on('closetag', () => {
    depth--
    events.close()
  })
  parser.on('text', text => void (depth > 0 && events.text(text, false)))
  parser.on('cdata', text => events.text(text, true))
  parser.on('comment', events.comment)
  parser.on('processinginstruction', ({ target, body }) => events.instruction(target, body, false))
  parser.on('doctype', events.doctype)
  parser.on('error', error => {
    throw error
  })
  try {
    parser.write(source).close()
    return log
  } catch {
    return undefined
  }
}

const documents = [
  '<?xml version="1.0" encoding="UTF-8"?>\r\n<a b="1" c=\'x\ty\r\nz\'>t<!-- c --><![CDATA[d<]]>u<e/><f g = "" />&amp;&#65;&#x42;</a >',
  '<n:a xmlns:n="urn:x" xmlns="urn:d"><b n:c="&lt;"/>é😀<n:d>\r\n</n:d></n:a>\n<!-- e --><?pi  body ?>',
  '\ufeff<a><b xmlns:w="urn:w" w:b="2" xml:space="preserve">Anna Smith</b> wrote</a>',
]

test.each(documents)('tells the same as saxes of %s', source => {
  expect(ours(source)).toBeDefined()
  expect(ours(source)).toEqual(theirs(source))
})

const marks = [
  '<',
  '>',
  '/',
  '&',
  ';',
  '"',
  "'",
  '=',
  '!',
  '-',
  ' ',
  '?',
  '[',
  ']',
  ':',
  '#',
  '\t',
  '\r',
  '\n',
  '\0',
  'a',
  '😀',
]

/** Numbers that are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

test('tells the same as saxes of thirty thousand damaged documents, and refuses the same', () => {
  const next = numbers(1)
  for (let n = 0; n < 30_000; n++) {
    let source = documents[next(documents.length)]!
    for (let damage = next(3); damage >= 0; damage--) {
      const at = next(source.length)
      const [from, to] = [next(source.length), next(source.length)]
      const between = [marks[next(marks.length)]!, '', source.slice(from, to)][next(3)]!
      source = source.slice(0, at) + between + source.slice(at + next(3))
    }
    // Half of a character is none, and saxes takes `<?a?b?>` for an instruction.
    if (!source.isWellFormed() || /<\?[^\s>]*\?[^>]/.test(source)) continue
    expect([source, ours(source)]).toEqual([source, theirs(source)])
  }
})
