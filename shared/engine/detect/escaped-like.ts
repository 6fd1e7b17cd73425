import { colour, command, inlineTags, wholeTag } from './escape-forms.ts'

/** Tags and colours within a value: what begins there ends behind it. */
const tags = new RegExp(wholeTag, 'gu')
const colours = new RegExp(`${colour}|${command}`, 'gu')

/** A colour as it is, and the command of a link without its address; others go. */
function shadeOf(shade: string, link: string | undefined): string {
  if (!shade.startsWith('\x1b]')) return shade
  return link === undefined ? '' : `\x1b]8;;${shade.endsWith('\x07') ? '\x07' : '\x1b\\'}`
}

/**
 * A replacement as it must be written where a value stood whose escapes are these, so that what is around stays valid. Tags in
 * the value follow it, without their attributes, for those may hold more of it.
 */
export function escapedLike(source: string, replacement: string): string {
  const shades = Array.from(source.matchAll(colours), ([shade, link]) => shadeOf(shade, link))
  if (shades.length > 0) return escapedLike(source.replace(colours, ''), replacement) + shades.join('')
  const kept = [...source.matchAll(tags)].filter(([, name = '']) => inlineTags.has(name.toLowerCase()))
  const bare = kept.map(([whole, name = '']) => `${whole.slice(0, whole.indexOf(name) + name.length)}>`)
  return asWritten(source.replace(tags, ''), replacement) + bare.join('')
}

/** Words of an address or a form, with a plus between them. */
const isForm = (source: string) => /^[^\s@\\&+]+(?:\+[^\s@\\&+]+)+$/.test(source)

function asWritten(source: string, replacement: string): string {
  if (/^.(?:\0.)+$/su.test(source)) return [...replacement].join('\0')
  if (/%[0-9A-Fa-f]{2}/.test(source) || isForm(source)) return encodeURIComponent(replacement.toWellFormed())
  if (source.includes('\\')) return JSON.stringify(replacement).slice(1, -1)
  if (!/&(?:#\w+|[A-Za-z]\w+);/.test(source)) return replacement
  return replacement.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
