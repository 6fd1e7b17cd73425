import { defaultLimits, formats, interchange, signatures, strangers } from 'anonymisation-engine'

/** What is refused by name, and what to do instead: each once. */
const refused = [
  ...new Set([...signatures, ...strangers].map(({ advice }) => advice).concat(interchange.map(([, advice]) => advice))),
]

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
(\`limit_exceeded\`), and whatever is in none of the formats above (\`unsupported_format\`). Messages between programs are
refused although they are text: most of what they hold would stay readable, because their fields stand between marks and
have no names. [What is refused by name](#refused-by-name) is listed below.

## Pictures

- JPEG, also of four inks (CMYK); PNG; WebP; TIFF and BigTIFF with any number of pages; GIF, also moving ones of up to 32
  moments, each of which is read.
- Refused: longer GIFs, and PNG and WebP that move; TIFF with floating-point or signed samples, in CIELab, with fewer samples of colour outside of
  JPEG, or with JPEG of the old style (compression 6).
- Pictures are written anew and upright, so Exif, places, previews and what stands behind their end are gone. Colour profiles
  are not kept in pictures uploaded as such, and 16 bits become 8.
- Pictures inside of other files are treated likewise: in PDF, Office files, messages and RTF; in \`data:\` addresses of HTML,
  SVG, other XML, JSON and Markdown; in outputs of notebooks. Those that can't be read (BMP, some metafiles), and those in addresses in
  cells of tables, become empty ones, and the report says so.
- Metafiles (EMF, WMF): texts in them are edited, all else that they draw is read as a picture. Where that shows a value, the
  metafile is emptied.

Their text is read by Tesseract. English ships; for another language install its package, such as
\`@tesseract.js-data/deu\`, and name it in the setting \`OCR_LANGUAGES\` (\`eng+deu\`). A language without its package fails the asset with \`invalid_workflow\`.

## Limits

| Limit | |
|---|---|
| Size of a file | ${mebibytes(defaultLimits.bytes)} |
| Size of what a file holds once decompressed | ${mebibytes(defaultLimits.inflatedBytes)} |
| Size of a single stream of a PDF once decompressed | ${mebibytes(defaultLimits.streamBytes)} |
| Ratio of a compressed entry | ${defaultLimits.ratio} |
| Entries of a container | ${defaultLimits.entries.toLocaleString('en')} |
| Nesting | ${defaultLimits.depth} |
| Pages, slides or sheets | ${defaultLimits.pages.toLocaleString('en')} |

## Refused by name

Told by their content, whatever their name. Binary files of old Office programs and Outlook messages (\`.doc\`, \`.xls\`, \`.ppt\`,
\`.msg\`) belong here too.

${refused.map(advice => `- ${advice}`).join('\n')}
`
