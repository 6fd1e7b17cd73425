import type { Format } from '../format.ts'

const make = (id: string, kind: string, mediaType: string, extensions: string[]): Format => ({
  id,
  type: 'DOCUMENT',
  mediaType,
  extensions,
  propagates: true,
  keepsText: true,
  matches(head) {
    const start = Buffer.from(head.subarray(0, 64)).toString('latin1')
    return new RegExp(`^(?:\xef\xbb\xbf)?\\s*BEGIN:${kind}\\s`, 'i').test(start) ? 0.95 : 0
  },
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  async open(input, context) {
    const { openText } = await import('../text/text-file.ts')
    const { wholeCharacters } = await import('./folds.ts')
    const whole = await wholeCharacters(input, context.limits.bytes)
    return openText(whole, context, (await import('./read.ts')).extractLines)
  },
  async verify(output, expected, context) {
    const { verifyText } = await import('../text/verify-text.ts')
    return verifyText(output, expected, context, (await import('./verify.ts')).rereadLines)
  },
})

/** Calendars: invitations, appointments, tasks. */
export const ics = make('ics', 'VCALENDAR', 'text/calendar', ['ics', 'ical', 'ifb', 'vcs'])

/** Cards of people. */
export const vcf = make('vcf', 'VCARD', 'text/vcard', ['vcf', 'vcard'])
