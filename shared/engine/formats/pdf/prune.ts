import { type PDFDocument, PDFName, type PDFObject, PDFStream } from '@cantoo/pdf-lib'
import { contentOf } from './content.ts'
import { decode, dictAt, nameAt, nameText, resolve } from './objects.ts'
import { walk } from './sanitise.ts'
import { tokenise } from './tokens.ts'

/**
 * Takes the forms that were replaced by changed copies out of all resources that name them: pages share resources, so
 * one that never shows a form may still keep it in the file.
 */
export const pruneForms = (document: PDFDocument, replaced: ReadonlySet<PDFObject>): void => {
  if (replaced.size === 0) return
  const pages = new Map(document.getPages().map(page => [page.node as unknown, page]))
  walk(document, (dict, object) => {
    const forms = dictAt(
      dict === pages.get(dict)?.node ? pages.get(dict)?.node.Resources() : dictAt(dict, 'Resources'),
      'XObject',
    )
    if (!forms) return
    const entries = forms.entries().filter(([, form]) => replaced.has(resolve(document.context, form) as PDFObject))
    if (entries.length === 0) return
    const page = pages.get(dict)
    const isForm = object instanceof PDFStream && nameAt(dict, 'Subtype') === 'Form'
    const shown = page ? shownBy(contentOf(page)) : isForm ? shownBy(decode(object)) : new Set<string>()
    const owner = page ? (page.node.Resources() ?? dict) : (dictAt(dict, 'Resources') ?? dict)
    const own = owner.clone(document.context)
    const kept = forms.clone(document.context)
    for (const [name] of entries) if (!shown.has(nameText(name))) kept.delete(name)
    own.set(PDFName.of('XObject'), kept)
    dict.set(PDFName.of('Resources'), own)
  })
  // Inherited resources have been copied to the pages that need them, and would keep the forms as well.
  for (const page of document.getPages())
    for (let parent = dictAt(page.node, 'Parent'), up = 0; parent && up < 64; parent = dictAt(parent, 'Parent'), up++) {
      const forms = dictAt(dictAt(parent, 'Resources'), 'XObject')
      for (const [name, form] of forms?.entries() ?? [])
        if (replaced.has(resolve(document.context, form) as PDFObject)) forms?.delete(name)
    }
}

const shownBy = (content: Uint8Array | undefined): Set<string> => {
  const shown = new Set<string>()
  if (!content) return shown
  const tokens = tokenise(content)
  for (let operation = tokens.next(); operation; operation = tokens.next()) {
    const [name] = operation.operands
    if (operation.operator === 'Do' && name?.kind === 'name') shown.add(name.value)
  }
  return shown
}
