import { createHmac, type KeyObject } from 'node:crypto'
import type { AssetType, Segment } from '../formats/format.ts'
import type { Plan } from '../plan.ts'
import { createTextIds } from '../redact/text-ids.ts'

/** Characters of the id of a value: 96 bits. */
const length = 16

/**
 * Names what is found for those who review it: in documents each finding by its place, in tables all that have the same
 * value in the same column. Is told of every text in order.
 */
export function createReviewIds(key: KeyObject, rules: Plan['rules'], type: AssetType) {
  const textIds = createTextIds(key)
  return (segment: Segment) => {
    const text = textIds(segment)
    const finding = (start: number, { rule, label, value }: { rule: number; label: string; value: string }): string => {
      if (type === 'DOCUMENT') return `${text()}.${start}`
      const named = JSON.stringify([segment.place.column, rules[rule]!.ruleId, label, value])
      return createHmac('sha256', key).update(`value\u0000${named}`).digest('base64url').slice(0, length)
    }
    return { text, finding }
  }
}
