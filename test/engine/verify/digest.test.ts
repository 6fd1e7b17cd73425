import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textDigest } from '../../../shared/engine/verify/digest.ts'

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\u0000', '\u00ff', 'é', '日', '\u{1f4a5}', '\ud800'),
  maxLength: 5,
})

test('texts added together are digested as those added one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.array(text)), lists => {
      const [together, alone] = [textDigest(), textDigest()]
      const hash = createHash('sha256')
      for (const list of lists) {
        together.addTexts(list)
        for (const one of list) {
          alone.add({ text: one })
          hash.update(Buffer.from(one)).update(Uint8Array.of(0xff))
        }
      }
      const wanted = hash.digest('hex')
      expect(together.hex()).toBe(wanted)
      expect(alone.hex()).toBe(wanted)
    }),
  )
})
