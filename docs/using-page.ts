import type { ValidatorName } from 'anonymisation-engine/rules'
import { checksums } from '../shared/api/checksums.ts'
import { guide, type Section } from '../shared/api/guide.ts'
import { defaultPermissions } from '../shared/api/permission-names.ts'

// A checksum that the engine gains or loses, and this table not, is an error of types.
checksums satisfies Record<ValidatorName, unknown>

const row = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n')

const section = ({ title, text, table: given }: Section): string =>
  [`## ${title}`, text, ...(given ? [table(given.head, given.rows)] : [])].join('\n\n')

/** The page for users of the interface: what holds for many endpoints, made from the contract. */
export const usingPage = (): string => `# Using the interface

Made from code by \`npm run docs\`; the same is part of the page at \`GET /api/docs\`. Errors are in [errors.md](errors.md),
the settings of sources in [source-settings.md](source-settings.md), measures of risk in [risk.md](risk.md).

${guide().map(section).join('\n\n')}

## Permissions

The role \`admin\` has all of them. The role \`user\` lacks those that end in \`:any\`, \`jobs:review\`, \`tokens:approve\`,
\`tokens:emergency\` and the last three. Other roles have what they
were given.

${table(
  ['permission', 'what it allows'],
  Object.entries(defaultPermissions).map(([name, allows]) => [`\`${name}\``, allows]),
)}
`
