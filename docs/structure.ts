import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A folder (or a file at the top of `shared`) and what it may import, beside itself. */
export type Room = {
  path: string
  holds: string
  /** Paths of rooms; a room may always import itself. */
  imports: readonly string[]
  /** Packages and modules of Node.js that it may import, by their beginnings; any unless given. */
  packages?: readonly string[]
  /** Its name, where it is a package: others import it by that name only. */
  package?: string
  /** Packages that it may not import, by their beginnings. */
  without?: readonly string[]
}

const aws = ['@aws-sdk/', 'aws-cdk-lib', 'constructs']
const network = ['node:http', 'node:https', 'node:net', 'node:tls', 'node:dns', 'node:dgram', 'undici']
const basis = ['shared/api', 'shared/settings.ts', 'shared/log.ts', 'shared/failure.ts', 'shared/metrics.ts']

/** The folders of the project (rooms), from the bottom up. The architecture page shows them, `npm run check` enforces them. */
export const rooms: readonly Room[] = [
  {
    path: 'shared/engine',
    package: 'anonymisation-engine',
    holds: 'detection, replacement, formats, models, verification; uses no cloud and no network',
    imports: [],
    without: [...aws, ...network, '@middy/'],
  },
  {
    path: 'shared/api',
    holds: 'the contract: schemas and declarations, one file per resource',
    imports: [],
    packages: ['zod'],
  },
  {
    path: 'shared/settings.ts',
    holds: 'settings, read and checked in one place',
    imports: ['shared/api'],
    without: [...aws, ...network],
  },
  { path: 'shared/failure.ts', holds: 'what may be logged of a failure', imports: [], without: [...aws, ...network] },
  { path: 'shared/log.ts', holds: 'the log of the functions', imports: [], without: [...aws, ...network] },
  {
    path: 'shared/metrics.ts',
    holds: 'the metrics of the functions',
    imports: ['shared/settings.ts'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/transport.ts',
    holds: 'what carries requests to AWS where that is not HTTP',
    imports: [],
  },
  {
    path: 'shared/wasm-code.ts',
    holds: 'what V8 is told of WebAssembly',
    imports: [],
  },
  {
    path: 'shared/store',
    holds: 'the only users of DynamoDB, S3, SQS, KMS and EventBridge',
    imports: [...basis, 'shared/engine', 'shared/transport.ts'],
    without: ['aws-cdk-lib', 'constructs', ...network],
  },
  {
    path: 'shared/audit',
    holds: 'the chain of the audit trail',
    imports: [...basis, 'shared/store'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/auth',
    holds: 'passwords, tokens and the limits of log-in',
    imports: [...basis, 'shared/store'],
    without: aws,
  },
  {
    path: 'shared/models',
    holds: 'where models come from: the package, the bucket, AWS Comprehend',
    imports: [...basis, 'shared/engine', 'shared/store'],
    without: ['aws-cdk-lib', 'constructs', ...network],
  },
  {
    path: 'shared/http',
    holds: 'from declaration and function to Lambda handler',
    imports: [...basis, 'shared/store', 'shared/audit', 'shared/auth'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/rules',
    holds: 'checks of rules and of the rules that a workflow names',
    imports: [...basis, 'shared/engine', 'shared/store', 'shared/models', 'shared/http'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/sources',
    holds: 'one connector per kind of source',
    imports: [...basis, 'shared/store', 'shared/http'],
    without: ['aws-cdk-lib', 'constructs'],
  },
  {
    path: 'shared/identity',
    holds: 'log-in by identity providers, OpenID Connect',
    imports: [...basis, 'shared/store', 'shared/auth', 'shared/sources'],
    without: aws,
  },
  {
    path: 'shared/discovery',
    holds: 'what the columns of a table are, and the workflow proposed for them',
    imports: [...basis, 'shared/engine', 'shared/store', 'shared/rules', 'shared/sources'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/transparency',
    holds: 'the log of certificates and of the audit trail that only grows',
    imports: [...basis, 'shared/store', 'shared/audit', 'shared/sources'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/tokens',
    holds: 'keys of reversible replacements, and requests to recover values',
    imports: [...basis, 'shared/engine', 'shared/store', 'shared/http'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/webhooks',
    holds: 'events on their way to webhooks: who hears of them, signatures, attempts',
    imports: [...basis, 'shared/store', 'shared/sources'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/jobs',
    holds: 'the steps of the pipeline',
    imports: [
      ...basis,
      'shared/engine',
      'shared/store',
      'shared/models',
      'shared/http',
      'shared/rules',
      'shared/sources',
      'shared/tokens',
      'shared/transparency',
      'shared/wasm-code.ts',
    ],
    without: [...aws, ...network],
  },
  {
    path: 'shared/schedules',
    holds: 'what runs by itself: when, as whom, with what is new in a source',
    imports: [...basis, 'shared/store', 'shared/auth', 'shared/http', 'shared/rules', 'shared/sources', 'shared/jobs'],
    without: [...aws, ...network],
  },
  {
    path: 'shared/mcp',
    holds: 'tools for language models that the service and the command both have',
    imports: ['shared/api'],
    packages: ['zod', '@modelcontextprotocol/server'],
  },
  {
    path: 'shared/texts',
    holds: 'texts that are anonymised immediately',
    imports: [
      ...basis,
      'shared/engine',
      'shared/store',
      'shared/models',
      'shared/http',
      'shared/rules',
      'shared/jobs',
      'shared/mcp',
    ],
    without: [...aws, ...network],
  },
  {
    path: 'functions',
    holds: 'entry points: `functions/<resource>/<operation>.ts` and `functions/pipeline`',
    imports: [
      ...basis,
      'shared/store',
      'shared/audit',
      'shared/transparency',
      'shared/auth',
      'shared/http',
      'shared/rules',
      'shared/sources',
      'shared/tokens',
      'shared/jobs',
      'shared/webhooks',
      'shared/schedules',
      'shared/texts',
      'shared/discovery',
      'shared/identity',
    ],
    without: [...aws, ...network],
  },
  {
    path: 'verifier',
    holds: 'checks certificates without a network; shares no code with the service',
    imports: [],
    packages: ['node:'],
    without: network,
  },
  {
    path: 'console',
    holds: 'the service in a browser: Preact, built into one program that two functions serve',
    imports: ['shared/api', 'verifier'],
    packages: ['preact', '@preact/signals', 'console-', 'client-zip', 'qr'],
  },
  {
    path: 'infra',
    holds: 'the CDK stack',
    imports: ['shared/api', 'shared/settings.ts'],
    without: ['@middy/', ...network],
  },
  {
    path: 'local/emulators',
    package: 'aws-emulators',
    holds: 'DynamoDB, S3, SQS, KMS and EventBridge on 127.0.0.1, over their wire protocols; independent of the service',
    imports: [],
    without: ['aws-cdk-lib', 'constructs', '@middy/'],
  },
  {
    path: 'local',
    holds: 'the local cloud behind `npm start`, and the commands for the laptop',
    imports: [
      'local/emulators',
      'infra',
      'shared/api',
      'shared/audit',
      'shared/engine',
      'shared/mcp',
      'shared/settings.ts',
      'shared/sources',
      'shared/transparency',
      'shared/transport.ts',
      'shared/wasm-code.ts',
    ],
    without: ['@middy/'],
  },
]

/** The room that a file stands in: the longest path that leads to it. */
export function roomOf(file: string): Room | undefined {
  const fits = rooms.filter(({ path }) => file === path || file.startsWith(`${path}/`))
  return fits.sort((a, b) => b.path.length - a.path.length)[0]
}

// A word in quotes behind `import` counts, but not where the word is the end of a path: `/lists/{list_id}/import`.
const specifiers = /(?:\bfrom |(?<![/\w])import\(?)\s*['"]([^'"]+)['"]/g

/** What the imports of a file break, in words; `file` is its path from the top of the project. */
export function violations(file: string, text: string): string[] {
  const room = roomOf(file)
  if (!room) return []
  return [...text.matchAll(specifiers)].flatMap(([, name]) => {
    const refused = name!.startsWith('.') ? refusedFile(room, file, name!) : refusedPackage(room, name!)
    return refused ? [`${file} imports ${name}: ${refused}`] : []
  })
}

function refusedFile(room: Room, file: string, name: string): string | undefined {
  const target = normalize(join(dirname(file), name))
  const other = roomOf(target)
  if (other !== room && other?.package) return `${other.path} is the package ${other.package}`
  if (other === room || (other && room.imports.includes(other.path))) return undefined
  // The engine and the rest alike may read the manifest of the package that they are in.
  if (target.endsWith('package.json')) return undefined
  return `${room.path} may import ${room.imports.join(', ') || 'nothing else of ours'}`
}

function refusedPackage({ path, imports, packages, without = [] }: Room, name: string): string | undefined {
  const own = rooms.find(other => other.package && (name === other.package || name.startsWith(`${other.package}/`)))
  if (own)
    return imports.includes(own.path) ? undefined : `${path} may import ${imports.join(', ') || 'nothing else of ours'}`
  if (packages && !packages.some(start => name.startsWith(start)))
    return `${path} may import ${packages.join(', ')} only`
  return without.some(start => name.startsWith(start)) ? `${path} does without this package` : undefined
}

/** The table of rooms as the page on the architecture shows it. */
export function roomsTable(): string {
  const rows = rooms.map(
    ({ path, holds, imports }) =>
      `| \`${path}\` | ${holds} | ${imports.map(name => name.replace(/^shared\//, '')).join(', ') || 'nothing else of ours'} |`,
  )
  return ['| Room | Holds | May import |', '|---|---|---|', ...rows].join('\n')
}

const sources = '{console,shared,functions,infra,local,verifier}/**/*.{ts,tsx,mjs}'

if (import.meta.main) {
  const found = globSync(sources)
    .filter(file => !file.includes('node_modules'))
    .flatMap(file => violations(file, readFileSync(file, 'utf8')))
  for (const line of found) console.error(line)
  if (found.length > 0) process.exitCode = 1
}
