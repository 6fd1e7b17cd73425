import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

/** What of a text is found as a person by its letters. */
const found = (text: string): string[] =>
  recognise(text, { threshold: 0.5, entities: ['PERSON'] })
    .filter(({ evidence }) => evidence.by === 'pattern' && evidence.pattern === 'person.spelled')
    .map(({ start, end }) => text.slice(start, end))

test.each([
  ["yeah it's marta, that's L I N D Q V I S T", 'L I N D Q V I S T'],
  ['das wird K-R-Z-Y-W-D-A buchstabiert, nein: geschrieben K-R-Z-Y-W-D-A', 'K-R-Z-Y-W-D-A'],
  ['my surname is o, double t, o, l, i, n', 'o, double t, o, l, i, n'],
  ['mi apellido se escribe z-u-l-o-a-g-a', 'z-u-l-o-a-g-a'],
  ['Nowak. N O W A K, jak zawsze', 'N O W A K'],
  ['J-O-N-A-T-H-A-N on the slip', 'J-O-N-A-T-H-A-N'],
])('%s', (text, value) => expect(found(text)).toEqual([value]))

test.each([
  'P R O T O K O L der Sitzung',
  'Answers: A B C D E',
  "that's a, b, c, d, e and f",
  'R E C H N U N G Nr. 12',
  'Mr J. R. R. Tolkien wrote it',
  'a x b y c z',
])('nobody in %s', text => expect(found(text)).toEqual([]))
