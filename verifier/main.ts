#!/usr/bin/env node
// Checks the certificate of a job, and files against it, without a network: npm run verify -- certificate.json outputs/

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bytes } from './bytes.ts'
import { filesOf, shownFile } from './files.ts'
import type { ShownFile } from './outputs.ts'
import { reportOf } from './report.ts'
import { type Shown, type Verdict, verify } from './verify.ts'

const usage = `Usage: npm run verify -- CERTIFICATE [FILE or FOLDER...] [options]
       npx anonymisation-verifier CERTIFICATE [FILE or FOLDER...] [options]

  CERTIFICATE       the certificate of a job; its list of assets is looked for beside it: assets.ndjson for
                    certificate.json, a.pdf.assets.ndjson for a.pdf.certificate.json
  FILE, FOLDER      outputs: of a folder, and where nothing is named, all outputs of the job must be there

  --keys FILE       public keys to trust, as GET /.well-known/jwks.json gives them (default: jwks.json beside the certificate)
  --proof FILE      what shows that one asset is on the list, in place of the list
  --opening FILE    what the owner of the job was told: the workflow is checked
  --inputs FOLDER   with --opening: files that must have been given to the job
  --receipt FILE    what shows that the certificate is in the log of the service
  --log-key FILE    with --receipt: the key of the log, as GET /transparency/key gives it (default: log-key.json beside the
                    certificate)
  --checkpoint FILE with --receipt: a checkpoint of the log that you have kept; the log must be the same one
  --consistency FILE  with --checkpoint of another size: what GET /transparency/consistency gives for the two sizes
  --witness KEY     with --receipt: a witness that must have signed the checkpoint; may stand there several times
  --report FILE     writes a report for people, HTML, when the certificate is accepted
  --json            the verdict as JSON

Status: 0 accepted, 1 refused, 2 something else was wrong.`

const options = {
  keys: { type: 'string' },
  proof: { type: 'string' },
  opening: { type: 'string' },
  inputs: { type: 'string' },
  receipt: { type: 'string' },
  'log-key': { type: 'string' },
  checkpoint: { type: 'string' },
  consistency: { type: 'string' },
  witness: { type: 'string', multiple: true },
  report: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

type Asked = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>

const read = (path: string): Bytes => Uint8Array.from(readFileSync(path))

/** Keys from a file; says where they are to be had where there is none. */
function readKeys(path: string, { route, option }: { route: string; option: string }): Bytes {
  if (!existsSync(path))
    throw new Error(`There is no ${path}: save the answer of GET ${route} there, or name its file by ${option}`)
  return read(path)
}

function shownOf({ values, positionals: [path, ...places] }: Asked): Shown {
  const certificate = resolve(path!)
  const beside = (name: string) => join(dirname(certificate), name)
  const keys = values.keys === undefined ? beside('jwks.json') : resolve(values.keys)
  const list = certificate.replace(/(certificate\.json)?$/, 'assets.ndjson')
  const logKey = values['log-key'] ?? beside('log-key.json')
  const { proof, opening, receipt, checkpoint, consistency } = values
  const named = [proof, opening, receipt, checkpoint, consistency].flatMap(name => (name ? resolve(name) : []))
  const own = [certificate, list, keys, resolve(logKey), ...named]
  const isFolder = (place: string) => statSync(place).isDirectory()
  const files = (place: string): ShownFile[] => (isFolder(place) ? filesOf(resolve(place), own) : [shownFile(place)])
  return {
    certificate: read(certificate),
    keys: readKeys(keys, { route: '/.well-known/jwks.json', option: '--keys' }),
    ...(existsSync(list) && { list: read(list) }),
    ...(values.proof !== undefined && { proof: read(values.proof) }),
    files: places.flatMap(files),
    all: places.some(isFolder),
    ...(values.opening !== undefined && { opening: read(values.opening) }),
    ...(values.inputs !== undefined && { inputs: files(values.inputs) }),
    ...(receipt !== undefined && {
      log: {
        receipt: read(receipt),
        key: readKeys(resolve(logKey), { route: '/transparency/key', option: '--log-key' }),
        ...(checkpoint !== undefined && { older: read(checkpoint) }),
        ...(consistency !== undefined && { consistency: read(consistency) }),
        witnesses: values.witness ?? [],
      },
    }),
  }
}

function tell({ problems, keyid, statement, leaves = [], entry, logged }: Verdict, { files }: Shown): string[] {
  if (problems.length > 0) return ['REFUSED', ...problems.map(({ code, reason }) => `  ${code}: ${reason}`)]
  const { id, outcome, finishedAt } = statement!.predicate.job as Record<string, string>
  return [
    'ACCEPTED',
    `  Job ${id}, ${outcome} at ${finishedAt}: ${leaves.length} assets, ${files.length} files checked`,
    `  Signed by the key ${keyid}`,
    logged
      ? `  Entry ${logged.index} of the log, which had ${logged.size} of them`
      : `  No receipt was shown that the log holds ${entry}`,
  ]
}

async function main(): Promise<number> {
  const asked = parseArgs({ options, allowPositionals: true })
  if (asked.values.help || asked.positionals.length === 0) {
    console.log(usage)
    return asked.values.help ? 0 : 2
  }
  const { receipt, checkpoint, witness } = asked.values
  if (receipt === undefined && (checkpoint !== undefined || witness !== undefined))
    throw new Error('--checkpoint and --witness are about a receipt: name it by --receipt')
  const shown = shownOf(asked)
  const verdict = await verify(shown)
  const { problems, keyid, statement, leaves, entry, logged } = verdict
  const accepted = problems.length === 0
  if (accepted && asked.values.report !== undefined)
    writeFileSync(asked.values.report, reportOf({ statement: statement!, leaves: leaves!, keyid: keyid! }))
  if (asked.values.json) console.log(JSON.stringify({ accepted, problems, keyid, statement, entry, logged }))
  else for (const line of tell(verdict, shown)) console.log(line)
  return accepted ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
