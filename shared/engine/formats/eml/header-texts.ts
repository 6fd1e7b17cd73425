import { splitName } from '../../file-names.ts'
import type { Segment } from '../format.ts'
import type { TextNode } from '../text/text-nodes.ts'
import type { Entity, Field } from './mime.ts'
import { fieldAction, fieldRuns, fileName, labelOf } from './read.ts'
import { isKnownType } from './vocabulary.ts'
import { encodeComment, encodePhrase } from './words.ts'

/** A text of a part's header and the field that it comes from, or what it is beside others in its field. */
export type HeaderText = { field: Field | undefined; what?: 'name' | 'type'; node: TextNode }

/** What the text of a field is: identifiers and addresses of parts are not what people write. */
function wordingOf(field: string): Segment['wording'] {
  if (field === 'content-id') return 'code'
  return field === 'content-location' ? 'address' : undefined
}

/** The texts of a part's header; those that are beside others in their fields come last. */
export function headerTexts(entity: Entity): HeaderText[] {
  const part = labelOf(entity)
  const found: HeaderText[] = []
  for (const field of entity.fields) {
    const action = fieldAction(field)
    if (action !== 'shown' && action !== 'hidden') continue
    const visible = action === 'shown'
    const runs = fieldRuns(field)
    const text = runs.map(run => run.text).join('')
    found.push({
      field,
      node: {
        segment: {
          text,
          place: { kind: visible ? 'header' : 'meta', part },
          visible,
          wording: wordingOf(field.name),
          ...(field.name === 'date' && { later: true }),
        },
        runs,
      },
    })
  }
  const place = { kind: 'name', part } as const
  const { value: type } = entity.type
  if (type !== '' && !isKnownType(type))
    found.push({
      field: undefined,
      what: 'type',
      node: { segment: { text: type, place, visible: false, wording: 'code' }, runs: [] },
    })
  const name = fileName(entity)
  if (name !== undefined)
    found.push({
      field: undefined,
      what: 'name',
      // Without its ending, which tells what the file is: a detection may reach over it.
      node: { segment: { text: splitName(name).stem, place, visible: false }, runs: [] },
    })
  return found
}

/** Fields that say who has written a message and to whom. */
const people = /^(?:from|to|cc|bcc|reply-to|sender)$/

/** The names beside the addresses of a part's header, each by itself: `Doe, Jane` is one, whatever it looks like. */
export function displayNames(entity: Entity): Segment[] {
  const place = { kind: 'meta', part: labelOf(entity), column: 'full name' } as const
  return entity.fields
    .filter(({ name }) => people.test(name))
    .flatMap(fieldRuns)
    .filter(({ encode, text }) => (encode === encodePhrase || encode === encodeComment) && /\p{L}/u.test(text))
    .map(({ text }) => ({ text: text.trim(), place, visible: false, hint: true }))
}
