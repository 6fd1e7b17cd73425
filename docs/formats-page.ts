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

Refused with a named error: encrypted files (\`encrypted_file\`), damaged ones (\`corrupt_file\`), binary files of old
office programs, Outlook messages and whatever is in none of the formats above (\`unsupported_format\`), and what exceeds
a limit (\`limit_exceeded\`).

| Limit | |
|---|---|
| Size of a file | ${mebibytes(defaultLimits.bytes)} |
| Size of what a file holds once decompressed | ${mebibytes(defaultLimits.inflatedBytes)} |
| Ratio of a compressed entry | ${defaultLimits.ratio} |
| Entries of a container | ${defaultLimits.entries.toLocaleString('en')} |
| Nesting | ${defaultLimits.depth} |
| Pages, slides or sheets | ${defaultLimits.pages.toLocaleString('en')} |
`
