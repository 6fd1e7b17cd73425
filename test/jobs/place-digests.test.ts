import type { ProposedText } from 'anonymisation-engine'
import { expect, test } from 'vitest'
import { createPlaceDigests, placeKey } from '../../shared/jobs/review/place-digests.ts'

const place = { textId: 'a', start: 2, end: 8 }

/** The digest of the place in a text that comes in pieces. */
function digestIn(...pieces: string[]): string | undefined {
  const digests = createPlaceDigests([place, place])
  let offset = 0
  for (const text of pieces) {
    const piece: ProposedText = { id: 'a', place: { kind: 'body', offset }, text, findings: [] }
    digests.see({ ...piece, id: 'b' })
    digests.see(piece)
    offset += text.length
  }
  return digests.end().get(placeKey(place))
}

test('a place is known again wherever its text is cut, and by nothing but its characters', () => {
  const digest = digestIn('..Zymax!..')
  expect(digest).toBeDefined()
  for (const pieces of [['..Zy', 'max!..'], ['..', 'Zymax!'], ['--Z', 'yma', 'x!', ''], ['..Zymax!']])
    expect(digestIn(...pieces)).toBe(digest)
  expect(digestIn('..\u{1f600}max!')).toBe(digestIn('..\ud83d', '\ude00max!'))
  for (const other of ['..Zymay!..', '.Zymax!...', '..zymax!']) expect(digestIn(other)).not.toBe(digest)
  // It ends before the place does, or begins behind it.
  for (const pieces of [['..Zymax'], ['..'], []]) expect(digestIn(...pieces)).toBeUndefined()
})
