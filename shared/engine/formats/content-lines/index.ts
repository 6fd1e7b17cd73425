import type { Format } from '../format.ts'
import { openText } from '../text/text-file.ts'
import { verifyText } from '../text/verify-text.ts'
import { extractLines } from './read.ts'
import { rereadLines } from './verify.ts'

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
  open: (input, context) => openText(input, context, extractLines),
  verify: (output, expected, context) => verifyText(output, expected, context, rereadLines),
})

/** Calendars: invitations, appointments, tasks. */
export const ics = make('ics', 'VCALENDAR', 'text/calendar', ['ics', 'ical', 'ifb', 'vcs'])

/** Cards of people. */
export const vcf = make('vcf', 'VCARD', 'text/vcard', ['vcf', 'vcard'])
