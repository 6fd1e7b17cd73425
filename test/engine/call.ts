import { createHmac, createSecretKey } from 'node:crypto'
import type { AnonymiseCall } from '../../shared/engine/anonymise.ts'
import type { Input } from '../../shared/engine/formats/format.ts'
import { memoryNumbering } from '../../shared/engine/in-memory.ts'
import { bufferInput, bufferOutput } from '../../shared/engine/input.ts'
import { defaultLimits } from '../../shared/engine/limits.ts'
import type { Replacement } from '../../shared/engine/operators/index.ts'
import type { Plan, PlannedRule } from '../../shared/engine/plan.ts'

/** A pattern rule whose id comes from its name; its replacement is `[name]` unless given. */
export function regexRule(
  name: string,
  pattern: string,
  more: { flags?: string; validator?: string; replacement?: Replacement; columns?: string[]; replace?: 'cell' } = {},
): PlannedRule {
  const { replacement = { text: `[${name}]` }, columns, replace, flags, validator } = more
  const detection = { type: 'REGEX' as const, pattern, flags, validator }
  return {
    ruleId: createHmac('sha256', 'rule').update(name).digest('hex').slice(0, 8),
    name,
    detection,
    replacement,
    columns,
    replace,
  }
}

/** Secrets of a test: always the same. */
export const secrets = {
  hash: createSecretKey(Buffer.alloc(32, 1)),
  pseudonym: createSecretKey(Buffer.alloc(32, 2)),
}

/** Outputs in memory. */
const memoryWorkspace: AnonymiseCall['workspace'] = {
  async create(name) {
    const output = bufferOutput()
    return { output, input: async () => fleetingInput(name, output.bytes(), 4096) }
  },
}

/** A file in small pieces, each overwritten when the next is asked for, as that of a file on disk may be. */
export function fleetingInput(name: string, bytes: Uint8Array, pieceBytes = 1000): Input {
  const input = bufferInput(name, bytes)
  return {
    ...input,
    async *stream(start = 0, end = bytes.length) {
      for (let at = start; at < Math.min(end, bytes.length); at += pieceBytes) {
        const piece = Uint8Array.from(bytes.subarray(at, Math.min(at + pieceBytes, end)))
        yield piece
        piece.fill(0x2a)
      }
    },
  }
}

/** A whole call from an input and rules; everything else has a default for tests. */
export function call({
  rules,
  assetType = 'DOCUMENT',
  limits = {},
  ...more
}: Partial<AnonymiseCall> & { input: Input; rules: PlannedRule[]; assetType?: Plan['assetType'] }) {
  return {
    plan: { rules, assetType },
    secrets,
    numbering: memoryNumbering(),
    workspace: memoryWorkspace,
    signal: new AbortController().signal,
    ...more,
    limits: { ...defaultLimits, ...limits },
  } satisfies AnonymiseCall
}
