import { formats } from '../shared/engine/formats/index.ts'
import { defaultLimits } from '../shared/engine/limits.ts'

const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toLocaleString('en')} MiB`

/** The page of the formats that the service anonymises, made from their registry. */
export const formatsPage = (): string => `# Formats

Made from code by \`npm run docs\`. The format of a file is told by its content; its name decides between kin only.

| Format | Type of asset | Names | Media type |
|---|---|---|---|
${formats
  .map(({ id, type, extensions, mediaType }) => `| ${id} | ${type} | ${extensions.join(', ')} | \`${mediaType}\` |`)
  .join('\n')}

Refused with a named error: encrypted files (\`encrypted_file\`), damaged ones (\`corrupt_file\`), what exceeds a limit
(\`limit_exceeded\`), and whatever is in none of the formats above (\`unsupported_format\`): binary files of old office
programs, Outlook messages, archives, programs, databases, sound, videos, DICOM. The error says what the file is and what to
upload instead. Messages of HL7 version 2, ASTM, X12 and EDIFACT are refused too: as plain text most of what they hold would
stay readable, because their fields stand between marks and have no names.

Text in pictures is read by Tesseract wherever a picture stands: alone, on a page, in an Office file, a message, RTF or an
address of HTML. English ships; for another language install its package, such as \`@tesseract.js-data/deu\`, and name it
in the setting \`OCR_LANGUAGES\` (\`eng+deu\`). A language without its package fails the asset with \`invalid_workflow\`.

| Limit | |
|---|---|
| Size of a file | ${mebibytes(defaultLimits.bytes)} |
| Size of what a file holds once decompressed | ${mebibytes(defaultLimits.inflatedBytes)} |
| Size of a single stream of a PDF once decompressed | ${mebibytes(defaultLimits.streamBytes)} |
| Ratio of a compressed entry | ${defaultLimits.ratio} |
| Entries of a container | ${defaultLimits.entries.toLocaleString('en')} |
| Nesting | ${defaultLimits.depth} |
| Pages, slides or sheets | ${defaultLimits.pages.toLocaleString('en')} |
`
