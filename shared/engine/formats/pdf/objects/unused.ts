import { type PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib'
import { resourcesOf, streamsOf } from '../content/content.ts'
import { type Operand, tokenise } from '../content/tokens.ts'
import { asDict, decode, dictAt, nameAt, nameText, resolve, value } from './objects.ts'

const categories = ['XObject', 'ExtGState', 'Pattern', 'Font', 'Shading', 'ColorSpace', 'Properties'] as const

/** Colour spaces that stand in for the device's own without being named. */
const implied = new Set(['DefaultGray', 'DefaultRGB', 'DefaultCMYK'])

const nameIn = /\/([^\s()<>[\]{}/%]*)/g

/** The names that a content stream uses; of a stream that shows objects, exactly those that operators have. */
const namesIn = (content: Uint8Array): { all: Set<string>; shown: Set<string> } => {
  const [all, shown] = [new Set<string>(), new Set<string>()]
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.length)
  if (!buffer.includes('Do')) {
    for (const [, name] of buffer.toString('latin1').matchAll(nameIn))
      all.add(
        (name as string).replace(/#([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
      )
    return { all, shown }
  }
  const take = (operands: Operand[], names: Set<string>) => {
    for (const operand of operands)
      if (operand.kind === 'name') names.add(operand.value)
      else if (operand.kind === 'array' || operand.kind === 'dict') take(operand.items, names)
  }
  const tokens = tokenise(content)
  for (let operation = tokens.next(); operation; operation = tokens.next())
    take(operation.operands, operation.operator === 'Do' ? shown : all)
  return { all, shown }
}

/** The resources that content names, and those of its page, where readers look for kinds that its own don't have at all. */
type Scope = { own: PDFDict | undefined; page: PDFDict | undefined }

/** How many forms and pictures nothing shows any more, and how many of them some viewers did show. */
type Gone = { unshown: number; doubtful: number }

/**
 * Takes out of the resources of pages whatever no content uses, forms with texts that nobody sees among them. What a form
 * names without having it among its own is not used: few viewers look for it around the form, and no reader here does.
 */
export const dropUnused = (document: PDFDocument): Gone => {
  const { context } = document
  const used = new Map<PDFDict, Set<PDFName>>()
  const sought = new Set<PDFDict>()
  const seen = new Map<unknown, Set<unknown>>()
  const scopes = new Map<unknown, Map<unknown, Scope>>()
  /** The same object for the same resources; those of content without any are those around it. */
  const inside = (dict: PDFDict | undefined, around: Scope): Scope => {
    const own = dictAt(dict, 'Resources') ?? around.own
    const known = scopes.get(around.page) ?? new Map<unknown, Scope>()
    scopes.set(around.page, known)
    const scope = known.get(own) ?? { own, page: around.page }
    known.set(own, scope)
    return scope
  }
  const isNew = (what: unknown, where: unknown): boolean => {
    const known = seen.get(what) ?? new Set()
    seen.set(what, known)
    return known.size !== known.add(where).size
  }

  const useFont = (font: PDFDict | undefined, scope: Scope) => {
    if (nameAt(font, 'Subtype') !== 'Type3' || !isNew(font, scope)) return
    for (const [, glyph] of dictAt(font, 'CharProcs')?.entries() ?? [])
      useContent([resolve(context, glyph)], inside(font, scope))
  }
  const useEntry = (category: string, entry: PDFObject | undefined, scope: Scope) => {
    const dict = asDict(entry)
    if (category === 'Font') useFont(dict, scope)
    else if (category === 'ExtGState') {
      const group = value(dictAt(dict, 'SMask'), 'G')
      if (group) useContent([group], inside(asDict(group), scope))
    } else if (category === 'XObject' && nameAt(dict, 'Subtype') === 'Image') {
      // Some images name a colour space of the page.
      const space = value(dict, 'ColorSpace')
      if (space instanceof PDFName) mark(scope, 'ColorSpace', name => name === nameText(space))
    } else if (category === 'XObject' || category === 'Pattern') useContent([entry], inside(dict, scope))
  }
  const mark = (scope: Scope, category: string, isWanted: (name: string) => boolean) => {
    const entries = dictAt(scope.own, category) ?? dictAt(scope.page, category)
    if (!entries) return
    const known = used.get(entries) ?? new Set()
    used.set(entries, known)
    for (const [name, entry] of entries.entries()) {
      if (!isWanted(nameText(name)) && !implied.has(nameText(name))) continue
      known.add(name)
      useEntry(category, resolve(context, entry), scope)
    }
  }
  const waiting: [streams: (PDFObject | undefined)[], scope: Scope][] = []
  const useContent = (streams: (PDFObject | undefined)[], scope: Scope) => {
    if (streams.length === 0 || isNew(streams[0], scope) || streams.length > 1) waiting.push([streams, scope])
  }
  const read = (streams: (PDFObject | undefined)[], scope: Scope) => {
    const parts = streams.filter(stream => stream instanceof PDFRawStream).map(decode)
    const whole = parts.every(part => part !== undefined)
    const names = namesIn(Buffer.concat(whole ? parts.flatMap(part => [part, Buffer.from('\n')]) : []))
    for (const category of categories) {
      const wanted = category === 'XObject' ? names.shown : names.all
      mark(scope, category, name => !whole || wanted.has(name))
    }
    const [own, around] = [dictAt(scope.own, 'XObject'), dictAt(scope.page, 'XObject')]
    for (const name of names.shown) {
      const entry = own && !own.has(PDFName.of(name)) ? dictAt(around, name) : undefined
      if (entry) sought.add(entry)
    }
  }

  for (const page of document.getPages()) {
    const resources = resourcesOf(page)
    useContent(streamsOf(page), inside(undefined, { own: resources, page: resources }))
    // What pages inherit stays for those only that use it.
    for (let parent = dictAt(page.node, 'Parent'), up = 0; parent && up < 64; parent = dictAt(parent, 'Parent'), up++)
      for (const category of categories)
        mark({ own: dictAt(parent, 'Resources'), page: undefined }, category, () => false)
  }
  for (let next = waiting.pop(); next; next = waiting.pop()) read(...next)
  return removeUnused(used, sought)
}

/** Takes out the entries of resources that have no name among those in use. */
const removeUnused = (used: ReadonlyMap<PDFDict, ReadonlySet<PDFName>>, sought: ReadonlySet<PDFDict>): Gone => {
  const [gone, kept] = [new Set<PDFDict>(), new Set<PDFDict>()]
  // Asked once of each, as pages share fonts.
  const showing = new Map<PDFDict, boolean>()
  const isShowing = (entry: PDFDict): boolean => {
    const known = showing.get(entry) ?? ['Form', 'Image'].includes(nameAt(entry, 'Subtype') ?? '')
    showing.set(entry, known)
    return known
  }
  for (const [entries, names] of used)
    for (const [name, object] of entries.entries()) {
      const entry = asDict(resolve(entries.context, object))
      if (entry && isShowing(entry)) (names.has(name) ? kept : gone).add(entry)
      if (!names.has(name)) entries.delete(name)
    }
  const lost = gone.difference(kept)
  const doubtful = lost.intersection(sought).size
  return { unshown: lost.size - doubtful, doubtful }
}
