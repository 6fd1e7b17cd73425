import { isObject } from './bytes.ts'

export type Cell = string | number | null | undefined

/** Text as HTML shows it: names of rules, labels and outputs may hold anything. */
export const escaped = (text: Cell): string =>
  String(text ?? '–').replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)

export const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

/** A table; where there is nothing to show, the word for it. `head` may be left out. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '<p>None.</p>'
  const row = (cells: readonly Cell[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const titles = head.length === 0 ? '' : `<thead>${row(head, 'th')}</thead>`
  return `<table>${titles}<tbody>${rows.map(cells => row(cells, 'td')).join('')}</tbody></table>`
}

/** Facts, each under its name. */
export const facts = (rows: readonly (readonly [name: string, value: Cell])[]): string =>
  `<table class="facts"><tbody>${rows.map(([name, value]) => `<tr><th>${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join('')}</tbody></table>`

/** Fields for somebody to fill in by hand. */
export const blank = (names: readonly string[]): string =>
  `<table class="facts blank"><tbody>${names.map(name => `<tr><th>${escaped(name)}</th><td></td></tr>`).join('')}</tbody></table>`

export const section = (title: string, ...parts: readonly string[]): string =>
  `<section><h2>${escaped(title)}</h2>${parts.join('')}</section>`

export const objects = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : []
export const object = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const cell = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined
export const cells = (from: Record<string, unknown>, ...names: readonly string[]): Cell[] =>
  names.map(name => cell(from[name]))

/** A share, 0 to 1, as a percentage; undefined for anything else. */
export const percent = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? `${Math.round(value * 1000) / 10} %` : undefined
