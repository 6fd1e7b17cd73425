import type { Format } from '../format.ts'

/** Marks of Unicode before a text, and every other byte of one in UTF-16. */
const marks = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)|\0/g

const make = (id: string, kinds: string, mediaType: string, extensions: string[]): Format => ({
  id,
  type: 'DOCUMENT',
  mediaType,
  extensions,
  propagates: true,
  keepsText: true,
  matches(head, name) {
    const start = Buffer.from(head.subarray(0, 256)).toString('latin1').replace(marks, '').trimStart()
    if (new RegExp(`^BEGIN:(?:${kinds})\\s`, 'i').test(start)) return 0.95
    // Programs save appointments without the calendar around them.
    const isNamed = extensions.includes(name.toLowerCase().split('.').at(-1) ?? '')
    return isNamed && /^[A-Za-z0-9.-]+[;:]/.test(start) ? 0.85 : 0
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
export const ics = make('ics', 'VCALENDAR|VEVENT|VTODO|VJOURNAL|VFREEBUSY|VTIMEZONE', 'text/calendar', [
  'ics',
  'ical',
  'ifb',
  'vcs',
])

/** Cards of people. */
export const vcf = make('vcf', 'VCARD', 'text/vcard', ['vcf', 'vcard'])
