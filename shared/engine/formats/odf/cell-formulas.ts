import { makesText } from '../ooxml/formulas.ts'
import type { Patch } from '../text/text-nodes.ts'
import type { NamedAttribute } from '../xml/names.ts'

const values = /^office:(?:value-type|(?:string-|date-|time-|boolean-)?value)$/
const spans = /^table:number-matrix-(?:rows|columns)-spanned$/
const elsewhere = /file:|#\$|'http/

/**
 * Why the formula of a cell goes whatever is found: it points to other files, fills several cells, of which one may
 * change, or makes a text that nobody has seen. `what` is what the report calls it; undefined where it may stay.
 */
export function formulaThatGoes(attributes: readonly NamedAttribute[]): { what: string; patches: Patch[] } | undefined {
  const formula = attributes.find(({ canonical }) => canonical === 'table:formula')
  if (formula === undefined) return undefined
  const without = (gone: readonly NamedAttribute[]) => gone.map(({ start, end }) => ({ start, end, text: '' }))
  const filling = attributes.filter(({ canonical }) => spans.test(canonical))
  if (elsewhere.test(formula.value)) return { what: 'external links', patches: without([formula, ...filling]) }
  if (filling.some(({ value }) => Number(value) > 1))
    return { what: 'formulas that fill several cells', patches: without([formula, ...filling]) }
  const isShown = attributes.some(({ canonical }) => values.test(canonical))
  if (isShown || !makesText(formula.value)) return undefined
  return { what: 'formulas without a value', patches: without([formula]) }
}
