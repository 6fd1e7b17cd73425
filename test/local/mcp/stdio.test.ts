import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const script = new URL('../../../local/anonymise.ts', import.meta.url).pathname
const SECRETS = ['Grace Miller', 'ada@example.org', 'John Smith']
const LETTER = 'Dear Grace Miller, write to ada@example.org.\nYours, John Smith\n'
const MASKED = 'Dear [PERSON], write to [EMAIL].\nYours, [PERSON]\n'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A folder with files of these names and texts. */
async function folderOf(files: Record<string, string>): Promise<string> {
  const made = await mkdtemp(join(folder, 'files-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(made, name, '..'), { recursive: true })
    await writeFile(join(made, name), content)
  }
  return made
}

type Result = { isError?: boolean; structuredContent?: unknown; content?: { type: string; text?: string }[] }

/** Starts the server in a folder, as programs of language models do, and does `work` with a client of it. */
async function served<T>(cwd: string, args: string[], work: (call: Call, client: Client) => Promise<T>): Promise<T> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, 'mcp', ...args],
    ...{ cwd, stderr: 'pipe' },
  })
  const told: Buffer[] = []
  transport.stderr!.on('data', (data: Buffer) => told.push(data))
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  try {
    const call: Call = async (name, given) => (await client.callTool({ name, arguments: given })) as Result
    return await work(call, client)
  } finally {
    await client.close()
    expect(Buffer.concat(told).toString()).toBe('')
  }
}
type Call = (name: string, given: Record<string, unknown>) => Promise<Result>

const told = ({ structuredContent }: Result) => structuredContent as Record<string, unknown>
/** What is said of a refusal, whichever way the protocol carries it. */
async function refusal(result: Promise<Result>): Promise<string> {
  const said = await result.then(
    ({ isError, content }) => (isError ? content![0]!.text! : ''),
    error => (error as Error).message,
  )
  for (const secret of SECRETS) expect(said).not.toContain(secret)
  return said
}

describe('anonymise mcp', { timeout: 120_000 }, () => {
  test('lists its tools, of which only those that write files say so', async () => {
    await served(await folderOf({}), [], async (_, client) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
        ['anonymise_text', true],
        ['explain_text', true],
        ['list_presets', true],
        ['anonymise_file', false],
        ['inspect_file', true],
      ])
      expect(client.getServerVersion()).toMatchObject({ name: 'anonymise' })
    })
  })

  test('anonymises and explains texts', async () => {
    await served(await folderOf({}), [], async call => {
      expect(told(await call('anonymise_text', { text: LETTER }))).toEqual({
        text: MASKED,
        counts: { PERSON: 2, EMAIL: 1 },
      })
      const explained = await call('explain_text', { text: LETTER })
      expect(told(explained).findings).toMatchObject([
        { start: 5, end: 17, label: 'PERSON' },
        { start: 28, end: 43, label: 'EMAIL' },
        { label: 'PERSON' },
      ])
      for (const secret of SECRETS) expect(JSON.stringify(explained)).not.toContain(secret)
      const { presets } = told(await call('list_presets', {})) as { presets: { id: string; chosen: boolean }[] }
      expect(presets.filter(({ chosen }) => chosen).map(({ id }) => id)).toEqual(['default'])
    })
  })

  test('anonymises files without showing anything of them, and replaces none', async () => {
    const files = await folderOf({ 'letter.txt': LETTER, 'deep/people.csv': 'name,sum\nJohn Smith,12\n' })
    await served(files, [], async call => {
      const inspected = await call('inspect_file', { path: 'letter.txt' })
      expect(told(inspected)).toEqual({ format: 'txt', counts: { PERSON: 2, EMAIL: 1 }, removed: [], notes: [] })
      expect(await readdir(files)).toEqual(['deep', 'letter.txt'])
      const made = await call('anonymise_file', { path: 'letter.txt' })
      expect(told(made)).toMatchObject({ output: 'letter.anonymised.txt', counts: { PERSON: 2, EMAIL: 1 } })
      expect(await readFile(join(files, 'letter.anonymised.txt'), 'utf8')).toBe(MASKED)
      for (const secret of SECRETS) expect(JSON.stringify([inspected, made])).not.toContain(secret)
      expect(await refusal(call('anonymise_file', { path: 'letter.txt' }))).toContain('exists already')
      const other = told(await call('anonymise_file', { path: join(files, 'deep/people.csv') }))
      expect(other.output).toBe('deep/people.anonymised.csv')
    })
    expect((await readdir(files, { recursive: true })).sort()).toEqual([
      'deep',
      'deep/people.anonymised.csv',
      'deep/people.csv',
      'letter.anonymised.txt',
      'letter.txt',
    ])
  })

  test('looks for what the command line says', async () => {
    const files = await folderOf({ 'a.txt': 'C-111111 Grace Miller' })
    const args = ['--only-rules', '--rule', 'Customer=C-\\d{6}=<{{n}}>']
    await served(files, args, async call => {
      expect(told(await call('anonymise_text', { text: 'C-222222' })).text).toBe('<1>')
      await call('anonymise_file', { path: 'a.txt' })
      expect(told(await call('anonymise_text', { text: 'C-111111 C-222222' })).text).toBe('<2> <1>')
    })
    expect(await readFile(join(files, 'a.anonymised.txt'), 'utf8')).toBe('<2> Grace Miller')
  })

  test('puts values back in files only, and only where that was asked for', async () => {
    const files = await folderOf({ 'letter.txt': LETTER, 'picture.bin': '\ufffd'.repeat(3) })
    await served(files, ['--restore'], async call => {
      await call('anonymise_file', { path: 'letter.txt' })
      const masked = await readFile(join(files, 'letter.anonymised.txt'), 'utf8')
      const [, person = ''] = /^Dear (PERSON_[0-9A-Z]{4,8}),/.exec(masked)!
      expect(told(await call('anonymise_text', { text: 'Grace Miller called.' })).text).toBe(`${person} called.`)
      await writeFile(join(files, 'answer.md'), `Hello ${person.toLowerCase()} and PERSON_0000!`)
      await writeFile(join(files, 'latin.txt'), Buffer.from([0xe9, 0x20, 0xe9]))
      const restored = await call('restore_file', { path: 'answer.md' })
      expect(told(restored)).toEqual({ output: 'answer.restored.md', restored: 1, altered: 1, unknown: 1 })
      for (const secret of SECRETS) expect(JSON.stringify(restored)).not.toContain(secret)
      expect(await readFile(join(files, 'answer.restored.md'), 'utf8')).toBe('Hello Grace Miller and PERSON_0000!')
      expect(await refusal(call('restore_file', { path: 'answer.md' }))).toContain('exists already')
      expect(await refusal(call('restore_file', { path: 'latin.txt' }))).toContain('UTF-8')
    })
    await served(files, [], async call => {
      expect(await refusal(call('restore_file', { path: 'answer.md' }))).toContain('restore_file')
    })
  })

  test('keeps to its folders, wherever paths and links lead', async () => {
    const outside = await folderOf({ 'letter.txt': LETTER })
    const files = await folderOf({ 'in/a.txt': LETTER, 'in-other/b.txt': LETTER, 'empty.txt': '' })
    const root = join(files, 'in')
    await symlink(join(outside, 'letter.txt'), join(root, 'link.txt'))
    await symlink(outside, join(root, 'linked'))
    await symlink(join(root, 'loop'), join(root, 'loop'))
    await writeFile(join(root, 'empty.txt'), '')
    const none = 'There is no such file in the folders that may be used'
    await served(root, [], async call => {
      const paths = ['../in-other/b.txt', join(files, 'in-other/b.txt'), 'link.txt', 'linked/letter.txt', 'loop']
      for (const path of [...paths, '../in/../in-other/b.txt', 'a.txt\0', 'none.txt', '/etc/passwd', '~/a', '%2e%2e/x'])
        for (const tool of ['anonymise_file', 'inspect_file'])
          expect([path, await refusal(call(tool, { path }))]).toEqual([path, none])
      expect(await refusal(call('anonymise_file', { path: '.' }))).toBe(none)
      expect(await refusal(call('anonymise_file', { path: 'empty.txt' }))).toBe('The file is empty')
    })
    expect(await readdir(outside)).toEqual(['letter.txt'])
    expect(await readdir(join(files, 'in-other'))).toEqual(['b.txt'])
    await served(files, ['in', 'in-other'], async call => {
      const [made, other] = [
        await call('anonymise_file', { path: 'a.txt' }),
        await call('anonymise_file', { path: '../in-other/b.txt' }),
      ]
      expect(told(made).output).toBe('a.anonymised.txt')
      expect(told(other).output).toBe(join(files, 'in-other', 'b.anonymised.txt'))
    })
  })

  test('refuses what is no text, and goes on', async () => {
    const files = await folderOf({ 'a.txt': 'fine', 'broken.docx': `PK\u0003\u0004${LETTER}` })
    await served(files, [], async call => {
      const wrong = [{}, { text: 5 }, { text: '' }, { text: [LETTER] }, { text: LETTER, more: 1 }, { text: null }]
      for (const given of wrong) expect(await refusal(call('anonymise_text', given))).toMatch(/Invalid arguments/)
      const huge = `${LETTER}${'x'.repeat(200_001)}`
      expect(await refusal(call('anonymise_text', { text: huge }))).toMatch(/200000/)
      expect(await refusal(call('anonymise_text', { text: 'Grace Miller \ud800' }))).not.toBe('')
      for (const given of [{}, { path: 7 }, { path: '' }, { path: 'x'.repeat(5000) }])
        expect(await refusal(call('anonymise_file', given))).toMatch(/Invalid arguments/)
      expect(await refusal(call('anonymise_file', { path: 'broken.docx' }))).toMatch(/^(?:corrupt|unsupported)/)
      expect(await refusal(call('nothing', {}))).toContain('nothing')
      expect(told(await call('anonymise_text', { text: LETTER })).text).toBe(MASKED)
    })
    expect(await readdir(files)).toEqual(['a.txt', 'broken.docx'])
  })

  test('ends with standard input, keeps standard output to the protocol, and refuses what it can not do', async () => {
    const run = async (args: string[], input: string) => {
      const child = spawn(process.execPath, [script, 'mcp', ...args], { cwd: folder })
      // A server that has ended reads no more.
      child.stdin.on('error', () => {}).end(input)
      const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      return { out, err, status }
    }
    expect(await run([], 'Grace Miller\n{"jsonrpc":"2.0"}\n')).toMatchObject({ err: '', status: 0 })
    expect((await run([], `${SECRETS.join('\n')}\n`)).out).not.toContain('Grace')
    expect(await run([], 'x'.repeat(11_000_000))).toEqual({
      ...{ out: '', status: 2 },
      err: 'A message was larger than 10 MiB, so the server has ended\n',
    })
    expect(await run(['nowhere'], '')).toEqual({
      out: '',
      err: `There is no folder ${join(folder, 'nowhere')}, or it can't be read\n`,
      status: 2,
    })
    for (const args of [
      ['--preset', 'no'],
      ['--port', '1'],
      ['--preset', 'default', '--workflow', 'x.json'],
    ])
      expect(await run(args, '')).toMatchObject({ out: '', status: 2 })
    expect((await run(['--help'], '')).out).toContain('anonymise mcp [FOLDER...]')
  })
})
