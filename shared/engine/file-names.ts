/** Endings that show programs the type of a file. Anything else after a full stop may be a word of the name. */
const ending =
  '\\.(?:txt|text|log|md|markdown|mdown|csv|tsv|tab|json|ndjson|jsonl|parquet|pq|html?|xhtml|xml|xsd|xslt?|kml|gpx|rss|atom|svg|ipynb|eml|mht|mhtml|rtf|docx|docm|dotx|pptx|pptm|potx|xlsx|xlsm|xltx|odt|ott|odp|ods|pdf|jpe?g|png|tiff?|webp|gif|ics|vcf|ya?ml|ini|conf|sql|dat|out)'
const endings = new RegExp(`${ending}$`, 'i')
/** Tells most texts apart at once: in few stands an ending, and looking for the names before them takes its time. */
const mentionedEnding = new RegExp(`${ending}(?![\\p{L}\\p{N}_])`, 'iu')
const mentions = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{M}_+.-])(?=\\p{L})[\\p{L}\\p{N}\\p{M}_+.-]{3,200}${ending}(?![\\p{L}\\p{N}_])`,
  'giu',
)

type FileName = { start: number; stem: string }

const none: readonly FileName[] = []

/** The names of files that a text mentions, without their endings and only those of several words. */
export function fileNamesIn(text: string): readonly FileName[] {
  if (!mentionedEnding.test(text)) return none
  return Array.from(text.matchAll(mentions), ({ 0: name, index }) => ({
    start: index,
    stem: splitName(name).stem,
  })).filter(({ stem }) => separated.test(stem))
}

/** What stands between words in names of files. */
const separators = [/[_+]/g, /[_+.-]/g]
const separated = /[_+.-]/

/** A file's name as it may be read: each reading has the same length, so that what is found in it has its place. */
export function readingsOf(stem: string): string[] {
  if (!separated.test(stem)) return [stem]
  const readings = [stem]
  for (const pattern of separators) {
    const reading = stem.replace(pattern, ' ')
    if (!readings.includes(reading)) readings.push(reading)
  }
  return readings
}

/** A file's name without its ending, and that ending with its full stop. */
export function splitName(name: string): { stem: string; extension: string } {
  const extension = endings.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** Names that Windows keeps for devices. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Longest name without its ending, UTF-8 bytes: file systems take 255, and a number may follow. */
const maxBytes = 200

/** What may be a file's name on any system: nothing that separates folders, steers or is kept for devices. */
export function safeName(text: string): string {
  const plain = text
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  let short = ''
  for (const character of plain) {
    if (Buffer.byteLength(short) + Buffer.byteLength(character) > maxBytes) break
    short += character
  }
  if (short === '') return 'file'
  return reserved.test(short) ? `_${short}` : short
}

/** The same name with a number, for the second and later files of that name. */
export function numberedName(name: string, n: number): string {
  const { stem, extension } = splitName(name)
  return n === 1 ? name : `${stem} (${n})${extension}`
}
