import { formsOf } from './canaries.ts'

/** Every form is at least so long; its first characters lead to it. */
const KEY = 8

/** A line that holds what it must not. */
export type Leak = { line: string; canary: string }

/**
 * The lines of a text that hold any of the canaries, in any of their forms, the first of each line. The time that it
 * takes grows with the text and hardly with the number of canaries.
 */
export function findLeaks(text: string, canaries: Iterable<string>): Leak[] {
  const forms = new Map<string, { form: string; canary: string }[]>()
  // Whether any form begins with two such characters: most places are passed over by this alone.
  const beginnings = new Uint8Array(65_536)
  for (const canary of canaries) {
    for (const form of formsOf(canary)) {
      const key = form.slice(0, KEY)
      forms.set(key, [...(forms.get(key) ?? []), { form, canary }])
      beginnings[pair(form, 0)] = 1
    }
  }
  const leaks: Leak[] = []
  for (let at = 0; at < text.length; at++) {
    if (!beginnings[pair(text, at)]) continue
    const hit = forms.get(text.slice(at, at + KEY))?.find(({ form }) => text.startsWith(form, at))
    if (!hit) continue
    const end = text.indexOf('\n', at)
    leaks.push({ line: text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end), canary: hit.canary })
    if (end < 0) break
    at = end
  }
  return leaks
}

const pair = (text: string, at: number): number => ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff
