import { isKnownCharset } from './words.ts'

const known =
  /^(?:inline|attachment|text\/(?:plain|html|calendar|csv|xml|rtf|markdown|enriched|(?:x-)?vcard|directory|rfc822-headers|css|x-unknown)|multipart\/(?:mixed|alternative|related|report|signed|digest|parallel|form-data)|message\/(?:rfc822|global|delivery-status|disposition-notification|feedback-report)|(?:image|audio|video)\/(?:png|jpe?g|gif|tiff|webp|bmp|svg\+xml|mpeg|mp4|ogg|wav)|application\/(?:octet-stream|pdf|json|xml|zip|rtf|msword|ics|(?:x-)?pkcs7-(?:mime|signature)|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-[a-z]+)[\w.-]*))$/

/** Whether a kind of content or of parts is one that everybody knows; a made-up one is a text. */
export const isKnownType = (value: string): boolean => known.test(value)

/** What stands for a made-up kind of content in which something is replaced. */
export function plainType(value: string): string {
  if (value.startsWith('text/')) return 'text/x-unknown'
  return value.startsWith('multipart/') ? 'multipart/mixed' : 'application/octet-stream'
}

const fixed: Readonly<Record<string, RegExp>> = {
  boundary: /^=_part_[\d_]+$/,
  format: /^(?:flowed|fixed)$/i,
  delsp: /^(?:yes|no)$/i,
  'report-type': /^(?:delivery-status|disposition-notification|feedback-report)$/i,
  method: /^(?:publish|request|reply|add|cancel|refresh|counter|declinecounter)$/i,
}

/** Whether the value of a parameter is one that only the format itself makes up. */
export function isFixedParameter(key: string, value: string): boolean {
  if (key === 'charset') return isKnownCharset(value)
  if (key === 'type') return isKnownType(value.toLowerCase())
  return fixed[key]?.test(value) ?? false
}

/** Whether a parameter stays whatever its value is, which is looked at or written anew. */
export const isKeptParameter = (key: string): boolean => /^(?:boundary|name|filename)$/.test(key)
