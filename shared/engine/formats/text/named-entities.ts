import { decodeHTMLStrict } from 'entities'

const known = new Map<string, string>()

/** What a named entity of HTML stands for (`eacute`: é); nothing where there is none of that name. */
export function entityText(name: string): string | undefined {
  let text = known.get(name)
  if (text === undefined) {
    const source = `&${name};`
    const decoded = decodeHTMLStrict(source)
    text = decoded === source ? '' : decoded
    // Documents may make up any number of names.
    if (text !== '') known.set(name, text)
  }
  return text === '' ? undefined : text
}
