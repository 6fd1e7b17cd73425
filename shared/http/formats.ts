import type { Endpoint } from '../api/endpoint.ts'

/** Writes a reply in another media type than JSON, by what `format` of the query calls that. */
export type Writers<Reply> = Readonly<Record<string, (reply: Reply, isFirst: boolean) => string>>

/**
 * What a caller wants an answer in that may be had in several media types: what `format` says, else the first of them that
 * `Accept` names. Undefined for JSON.
 */
export function formatWanted(
  { formats = {} }: Endpoint,
  format: unknown,
  accept = '',
): { name: string; mediaType: string } | undefined {
  const types = Object.entries(formats)
  if (format !== undefined) {
    const mediaType = formats[String(format)]
    return mediaType === undefined ? undefined : { name: String(format), mediaType }
  }
  for (const wanted of accept.split(',').map(entry => entry.split(';')[0]!.trim().toLowerCase())) {
    const known = types.find(([, mediaType]) => mediaType === wanted)
    if (known) return { name: known[0], mediaType: known[1] }
    if (wanted === 'application/json' || wanted === '*/*') return undefined
  }
  return undefined
}
