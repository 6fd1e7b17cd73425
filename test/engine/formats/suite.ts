import { describe, expect, test } from 'vitest'
import { type AnonymiseCall, type AnonymiseResult, anonymise } from '../../../shared/engine/anonymise.ts'
import { type AssetFailure, EngineError } from '../../../shared/engine/errors.ts'
import type { Format } from '../../../shared/engine/formats/format.ts'
import { formatOf, headBytes } from '../../../shared/engine/formats/index.ts'
import { inspect } from '../../../shared/engine/inspect.ts'
import type { Placed } from '../../../shared/engine/match.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import type { Decision } from '../../../shared/engine/review/decisions.ts'
import type { ProposedText, ProposedValue } from '../../../shared/engine/review/proposals.ts'
import { byteScan } from '../../../shared/engine/verify/byte-scan.ts'
import { call, fleetingInput, regexRule } from '../call.ts'
import { blindEngine, overlooking } from './blind.ts'
import { canaries } from './hiding.ts'

/**
 * The one suite that every format is held to. To add a format, write `test/engine/formats/<id>.test.ts`:
 *
 *     formatSuite(docx, {
 *       name: 'sample.docx',
 *       make: paragraphs => build(paragraphs),     // a valid file that shows these texts, one segment each
 *       show: bytes => readWithSomethingElse(bytes) // the visible texts, by a reader that is not the engine's
 *       untouched: 'bytes',                        // what a run without a hit must keep: all bytes, or the texts
 *       files: [{ name: 'canary.docx', bytes: () => readFileSync(...) }], // whole files with words that begin with Zy
 *       refused: [{ name: 'truncated', bytes: () => ..., type: 'corrupt_file' }],
 *     })
 *
 * Tests of what only one format has stand in the same file, below that call.
 */
export type FormatCases = {
  /** Name of the files that `make` makes. */
  name: string
  make(texts: string[]): Uint8Array | Promise<Uint8Array>
  show(bytes: Uint8Array): string[] | Promise<string[]>
  /** What a run that finds nothing keeps: every byte, or every visible text (containers that are packed again). */
  untouched: 'bytes' | 'text'
  /** Whole files, each with canaries, or with values that its rules find; all of them must be gone. */
  files?: { name: string; bytes(): Uint8Array; values?: string[]; rules?: PlannedRule[] }[]
  /** Files that must fail, with the code (or one of the codes) that they must fail with. */
  refused?: { name: string; bytes(): Uint8Array | Promise<Uint8Array>; type: AssetFailure | AssetFailure[] }[]

  options?: Record<string, unknown>
}

/** Values as files spell them, what rules look for, and what no output may show. */
const spelt: [written: string, plain: string, left: RegExp][] = [
  ['Margaret\u00a0Johnson', 'Margaret Johnson', /Margaret|Johnson/],
  ['Conrad\u202fBrandt', 'Conrad Brandt', /Conrad|Brandt/],
  ['Anna\u2011Maria', 'Anna-Maria', /Anna|Maria/],
  ['\uff22\uff41\uff55\uff45\uff52', 'Bauer', /\uff22|Bauer/],
  ['\uff10\uff13\uff10\uff11\uff12\uff13', '030123', /\uff13|030/],
  ['Kow\u200balski', 'Kowalski', /Kow|alski/],
  ['Smi\u00adthers', 'Smithers', /Smi|thers/],
  ['Gri\ufb03n', 'Griffin', /Gri/],
]

const canaryRule = regexRule('canary', '\\b[Zz][Yy]\\w*')

async function run(name: string, bytes: Uint8Array, rules: PlannedRule[], more: Partial<AnonymiseCall> = {}) {
  const result = await anonymise(call({ input: fleetingInput(name, bytes), rules, ...more }))
  return { result, bytes: await result.output.read(0, result.output.size) }
}

/** Where something is found by looking alone, and where it is replaced, in order. */
async function places(name: string, bytes: Uint8Array, rules: PlannedRule[], more: Partial<AnonymiseCall>) {
  const asked = call({ input: fleetingInput(name, bytes), rules, ...more, keepFindings: true })
  const read = async ({ places: kept }: Pick<AnonymiseResult, 'places'>) => {
    const text = Buffer.from(await kept!.file.read(0, kept!.file.size)).toString()
    return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Placed]))
  }
  return { inspected: await read(await inspect(asked)), replaced: await read(await anonymise(asked)) }
}

/** Runs the suite over one format. */
export function formatSuite(format: Format, cases: FormatCases) {
  const options = cases.options ?? {}
  const show = async (bytes: Uint8Array) => cases.show(bytes)

  describe(`format ${format.id}`, () => {
    test('is recognised by its content', async () => {
      const bytes = await cases.make(['One line of text', 'Another line of text'])
      expect(formatOf(bytes.subarray(0, headBytes), cases.name).id).toBe(format.id)
    })

    test('keeps a file without a hit as it is', async () => {
      const bytes = await cases.make(['Nothing to hide here', 'Grüße, 你好, 🙂 & <b>'])
      const { bytes: output, result } = await run(cases.name, bytes, [canaryRule], { options })
      expect(result.findings.map(({ count }) => count)).toEqual([0])
      if (cases.untouched === 'bytes') expect(Buffer.from(output).equals(Buffer.from(bytes))).toBe(true)
      else expect(await show(output)).toEqual(await show(bytes))
    })

    test('replaces every hit and leaves all other text', async () => {
      const texts = ['Zyanne met zyrah at noon.', 'No hit', 'the end: ZYGMUND']
      const { bytes: output, result } = await run(cases.name, await cases.make(texts), [canaryRule], { options })
      const shown = (await show(output)).join('\n')
      for (const text of ['[canary] met [canary] at noon.', 'No hit', 'the end: [canary]'])
        expect(shown).toContain(text)
      const { ruleId, name } = canaryRule
      expect(result.findings).toEqual([{ ruleId, name, count: 3, labels: [{ label: name, count: 3 }] }])
    })

    // What a picture shows is what OCR makes of it.
    test.skipIf(format.mediaType.startsWith('image/'))('finds a value however it is spelt', async () => {
      const texts = spelt.map(([written]) => `Signed by ${written} today`)
      const rules = [...new Set(spelt.map(([, plain]) => plain))].map(plain => regexRule('name', plain))
      const { bytes: output } = await run(cases.name, await cases.make(texts), rules, { options })
      const shown = (await show(output)).join('\n')
      expect(spelt.filter(([, , left]) => left.test(shown)).map(([, , left]) => String(left))).toEqual([])
      expect(shown.match(/\[name\]/g)).toHaveLength(spelt.length)
    })

    test('leaves none of the values in the bytes', async () => {
      const values = ['Zyanne', 'zyrah', 'ZYGMUND-1']
      const rules = [regexRule('canary', '\\b[Zz][Yy][\\w-]*')]
      const { bytes } = await run(cases.name, await cases.make([`${values[0]} met ${values[1]}`, values[2]!]), rules)
      const scan = byteScan(values)
      scan.push(bytes)
      const { plain, hidden } = scan.found()
      expect([...plain, ...hidden]).toEqual([])
    })

    test('finds by looking alone what it would replace, at the same places', async () => {
      const same = [
        ['Zyanne met zyrah at noon.', 'No hit', 'the end: ZYGMUND'],
        ['Zyanne', 'Zyanne'],
      ]
      for (const texts of same) {
        const bytes = await cases.make(texts)
        const looked = await places(cases.name, bytes, [canaryRule], { options })
        expect(looked.inspected).toEqual(looked.replaced)
        expect(looked.inspected).toHaveLength(texts.join().match(/\bzy/gi)!.length)
        expect(new Set(looked.inspected.map(({ id }) => id)).size).toBe(looked.inspected.length)
        expect(JSON.stringify(looked.inspected)).not.toMatch(/anne|rah|gmund/i)
      }
    })

    test('replaces what a review leaves of its proposals, and adds what it adds', async () => {
      const bytes = await cases.make(['Zyanne met zyrah at noon.', 'No hit', 'the end: ZYGMUND'])
      const { file } = (
        await inspect({
          ...call({ input: fleetingInput(cases.name, bytes), rules: [canaryRule], options }),
          proposes: true,
        })
      ).places
      const lines = Buffer.from(await file.read(0, file.size))
        .toString()
        .trim()
        .split('\n')
      const proposed = lines.map(line => JSON.parse(line) as ProposedText | ProposedValue)
      const ids = [
        ...new Set(proposed.flatMap(one => ('findings' in one ? one.findings.map(({ id }) => id) : [one.id]))),
      ]
      const decide = async (decisions: Decision[]) => {
        const { bytes: output } = await run(cases.name, bytes, [canaryRule], { options, decisions })
        return { output, shown: (await show(output)).join('\n') }
      }
      const plain = await run(cases.name, bytes, [canaryRule], { options })
      expect(Buffer.from((await decide([])).output).equals(Buffer.from(plain.bytes)), 'accepts all').toBe(true)
      const reject = (id: string): Decision => ({ action: 'reject', of: { id } })
      const rejectsAll = await decide(ids.map(reject))
      const before = (await show(bytes)).join('\n')
      if (cases.untouched === 'bytes') expect(Buffer.from(rejectsAll.output).equals(Buffer.from(bytes))).toBe(true)
      expect(rejectsAll.shown).toBe(before)
      expect((await decide([{ action: 'reject', of: { filter: {} } }])).shown).toBe(before)
      const texts = ['[canary] met [canary] at noon.', 'the end: [canary]']
      const acceptsAgain = await decide(ids.map(reject).concat({ action: 'accept', of: { filter: {} } }))
      for (const text of texts) expect(acceptsAgain.shown).toContain(text)
      const one = await decide([{ action: 'reject', of: { value: 'zyrah', label: 'canary' } }])
      for (const text of ['[canary] met zyrah at noon.', 'the end: [canary]']) expect(one.shown).toContain(text)
      const added = await decide([
        { action: 'reject', of: { filter: {} } },
        { action: 'add', at: { value: 'noon' }, label: 'TIME' },
      ])
      // What OCR makes of a bracket depends on the letters beside it.
      expect(added.shown).toMatch(/Zyanne met zyrah at .?canary.?/)
      expect(added.shown).toContain('the end: ZYGMUND')
      expect(added.shown).not.toContain('noon')
    })

    test('gives the same output twice', async () => {
      const bytes = await cases.make(['Zyanne met zyrah'])
      const first = await run(cases.name, bytes, [canaryRule])
      const second = await run(cases.name, bytes, [canaryRule])
      expect(Buffer.from(first.bytes).equals(Buffer.from(second.bytes))).toBe(true)
    })

    test('refuses an empty file', async () => {
      await expect(run(cases.name, new Uint8Array(), [canaryRule])).rejects.toMatchObject({ type: 'corrupt_file' })
    })

    test('refuses a file beyond its limit', async () => {
      const bytes = await cases.make(['some text'])
      const limits = { bytes: bytes.length - 1 }
      await expect(run(cases.name, bytes, [canaryRule], { limits })).rejects.toMatchObject({ type: 'limit_exceeded' })
    })

    test('ends by a named error or cleanly on damaged files', async () => {
      const bytes = await cases.make(['Zyanne met zyrah', 'No hit here', 'Nor here'])
      const damaged = [
        ...[0.25, 0.5, 0.75, 0.95].map(part => bytes.subarray(0, Math.max(1, Math.floor(bytes.length * part)))),
        ...[0.1, 0.3, 0.6, 0.9].map(part => {
          const copy = Uint8Array.from(bytes)
          copy[Math.floor(bytes.length * part)]! ^= 0x15
          return copy
        }),
        Buffer.concat([bytes, Buffer.alloc(64)]),
      ]
      // Damage may put a letter before a canary.
      const anywhere = regexRule('canary', '[Zz][Yy]\\w*')
      const left: number[] = []
      for (const file of damaged) {
        try {
          const scan = byteScan(['Zyanne', 'zyrah'])
          scan.push((await run(cases.name, file, [anywhere])).bytes)
          // Damage may turn what was encoded into text that nobody decodes.
          left.push(...scan.found().plain)
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
          expect((error as EngineError).type).not.toBe('internal')
        }
      }
      expect(left).toEqual([])
    })

    // What the reader overlooks has to be noticed by the one that proves the output, which sees for itself. Pictures have no
    // other reader than OCR.
    test.skipIf(format.mediaType.startsWith('image/'))('gives out nothing that its reader overlooks', async () => {
      const engine = await blindEngine(format.id)
      expect(engine, `a place in blind.ts for ${format.id}`).toBeDefined()
      const bytes = await cases.make(['Zyblind is here', 'and Zyblind is there'])
      const rules = [canaryRule]
      const outcome = async () => {
        const input = fleetingInput(cases.name, bytes)
        return engine!.anonymise(call({ input, rules, options })).then(
          ({ findings }) => findings[0]!.count,
          (error: { type?: string }) => error.type,
        )
      }
      expect(await outcome()).toBe(2)
      expect(await overlooking({ format: format.id, word: /Zyblind/g }, outcome), 'everywhere').toBe('leak_detected')
      expect(
        await overlooking({ format: format.id, word: /Zyblind(?= is here)/g }, outcome),
        'in one of two places',
      ).toBe('leak_detected')
    })

    for (const file of cases.files ?? []) {
      test(`finds the same in ${file.name} by looking alone`, async () => {
        const { inspected, replaced } = await places(file.name, file.bytes(), file.rules ?? [canaryRule], { options })
        expect(inspected).toEqual(replaced)
      })

      test(`cleans ${file.name}`, async () => {
        const values = [...canaries(file.bytes()), ...(file.values ?? [])]
        expect(values).not.toEqual([])
        const { bytes } = await run(file.name, file.bytes(), file.rules ?? [canaryRule], { options })
        expect(canaries(bytes)).toEqual([])
        const scan = byteScan(values)
        scan.push(bytes)
        expect([...scan.found().plain, ...scan.found().hidden].map(index => values[index])).toEqual([])
      })
    }

    for (const file of cases.refused ?? []) {
      test(`refuses ${file.name}`, async () => {
        const error = await run(cases.name, await file.bytes(), [canaryRule], { options }).then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(error).toBeInstanceOf(EngineError)
        expect([file.type].flat()).toContain((error as EngineError).type)
      })
    }

    test('stops when it is told to', async () => {
      const bytes = await cases.make(['Zyanne met zyrah'])
      await expect(run(cases.name, bytes, [canaryRule], { signal: AbortSignal.abort() })).rejects.toThrow()
    })
  })
}
