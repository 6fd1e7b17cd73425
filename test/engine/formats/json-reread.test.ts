import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonTexts } from '../../../shared/engine/formats/json/verify.ts'

const text = fc.string({
  unit: fc.constantFrom('a', '1', '-', '"', '\\', ':', ',', ' ', '\n', 'é', '\u{1f4a5}'),
  maxLength: 6,
})

/** A JSON text with its values and its keys, written with blanks and escapes wherever they may stand. */
const written = fc.letrec<{ value: { json: string; shown: string[]; hidden: string[] } }>(tie => {
  const blank = fc.constantFrom('', ' ', '\r\n\t')
  const string = fc
    .tuple(text, fc.boolean())
    .map(([said, escaped]) => [said, escaped ? JSON.stringify(said).replace(/a/g, '\\u0061') : JSON.stringify(said)])
  const around = fc.tuple(blank, blank)
  const leaf = fc.oneof(
    string.map(([said, json]) => ({ json: json!, shown: [said!], hidden: [] })),
    fc.constantFrom('0', '-1.5e+3', '12345678901234567890').map(json => ({ json, shown: [json], hidden: [] })),
    fc.constantFrom('true', 'null').map(json => ({ json, shown: [], hidden: [] })),
  )
  const array = fc.tuple(around, fc.array(tie('value'), { maxLength: 4 })).map(([[before, after], items]) => ({
    json: `[${before}${items.map(({ json }) => json).join(`${before},${after}`)}${after}]`,
    shown: items.flatMap(({ shown }) => shown),
    hidden: items.flatMap(({ hidden }) => hidden),
  }))
  const object = fc
    .tuple(around, fc.array(fc.tuple(string, tie('value')), { maxLength: 4 }))
    .map(([[before, after], fields]) => ({
      json: `{${before}${fields.map(([[, key], { json }]) => `${key}${after}:${before}${json}`).join(`${after},${before}`)}}`,
      shown: fields.flatMap(([, { shown }]) => shown),
      hidden: fields.flatMap(([[said], { hidden }]) => [said!, ...hidden]),
    }))
  return { value: fc.oneof({ depthSize: 'small' }, leaf, array, object) }
}).value

test('the second reader of JSON sees each value and each key, in order', () => {
  fc.assert(
    fc.property(written, ({ json, shown, hidden }) => {
      const found = { shown: [], hidden: [] }
      jsonTexts(json, found)
      expect(found).toEqual({ shown, hidden })
    }),
    { numRuns: 500 },
  )
})
