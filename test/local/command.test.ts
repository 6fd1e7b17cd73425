import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { wrap } from '../../local/anonymise/report.ts'
import { command, folderOf, LETTER, tree } from './command.ts'

const script = new URL('../../local/anonymise.ts', import.meta.url).pathname
const read = (...path: string[]) => readFile(join(...path), 'utf8')

const MASKED = 'Dear [PERSON], write to [EMAIL].\nYours, [PERSON]\n'
const quick = ['--only-rules', '--rule', 'Customer=\\bC-\\d{6}\\b=[CUSTOMER]']

describe('the command on this machine', { timeout: 120_000 }, () => {
  test('finds by default what the shipped models and patterns find, keeps trees, and says what it left out', async () => {
    const files = await folderOf({
      'letters/a.txt': LETTER,
      'letters/deep/er/people.csv': 'name,mail,sum\nJohn Smith,john@example.org,12.50\n',
      'letters/.hidden.txt': LETTER,
      'letters/a.anonymised.txt': LETTER,
      'letters/empty.txt': '',
    })
    await symlink('a.txt', join(files, 'letters', 'link.txt'))
    const { status, out } = await command(files, ['letters'])
    expect([status, await tree(files, 'letters.anonymised')]).toEqual([
      0,
      ['a.txt', 'deep', 'deep/er', 'deep/er/people.csv'],
    ])
    expect(await read(files, 'letters.anonymised', 'a.txt')).toBe(MASKED)
    expect(await read(files, 'letters.anonymised', 'deep/er/people.csv')).toBe(
      'name,mail,sum\n[PERSON],[EMAIL],12.50\n',
    )
    for (const name of ['.hidden.txt: hidden', 'a.anonymised.txt: an output', 'empty.txt: empty', 'link.txt: a link'])
      expect(out).toContain(`Left out letters/${name}`)
    expect(out).toMatch(/Not looked for: .*QUANTITY/)
    expect(out).toContain('2 anonymised, 0 failed, 4 left out')
  })

  test('says what older texts were read in, and reads them as --encoding says', async () => {
    const files = await folderOf({ 'a.csv': '' })
    const polish = '1;Wiśniewska\r\n2;Nowak\r\n'
    await writeFile(join(files, 'a.csv'), iconv.encode(polish, 'cp852'))
    const rule = ['a.csv', '--only-rules', '--rule', 'Name=Wiśniewska=[NAME]', '--overwrite']
    const told = await command(files, rule)
    expect(told.out).toMatch(
      /anonymised\.csv: nothing found\n {2}read as (?:cp850|windows-1252); --encoding names another/,
    )
    const named = await command(files, [...rule, '--encoding', 'cp852', '--json'])
    expect([named.status, await read(files, 'a.anonymised.csv')]).toEqual([0, '1;[NAME]\r\n2;Nowak\r\n'])
    expect(JSON.parse(named.out).files[0]).toMatchObject({ encoding: 'cp852' })
    const unknown = await command(files, [...rule, '--encoding', 'klingon'])
    expect([unknown.status, unknown.out]).toEqual([1, expect.stringContaining('names an encoding that')])
  })

  test('numbers values over all files alike', async () => {
    const files = await folderOf({ 'in/a.txt': 'C-111111 C-222222', 'in/b.txt': 'C-222222 C-333333' })
    await command(files, ['in', '--only-rules', '--rule', 'Customer=C-\\d{6}=<{{n}}>'])
    expect([await read(files, 'in.anonymised/a.txt'), await read(files, 'in.anonymised/b.txt')]).toEqual([
      '<1> <2>',
      '<2> <3>',
    ])
  })

  test('reads standard input and writes standard output, where the report does not stand in the way', async () => {
    const { status, out, err } = await command(await folderOf({}), ['-', ...quick], 'for C-123456')
    expect([status, out]).toEqual([0, 'for [CUSTOMER]'])
    expect(err).toContain('1 anonymised')
  })

  test('calls standard input by its sign in every report', async () => {
    const files = await folderOf({})
    const ask = async (...args: string[]) => (await command(files, ['-', ...args, ...quick], 'for C-123456')).out
    expect(await ask('-o', 'out.txt')).toContain('- -> out.txt: 1 Customer\n')
    expect(await ask('--dry-run')).toMatch(/^-: 1 Customer\n/)
    expect(JSON.parse(await ask('--dry-run', '--json')).files[0].file).toBe('-')
    const { runs } = JSON.parse(await ask('--dry-run', '--sarif'))
    expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('-')
  })

  test('writes into a folder, a file, or to standard output, and takes patterns of paths', async () => {
    const files = await folderOf({ 'a.txt': 'C-123456', 'b.txt': 'C-123456', 'c.md': 'x' })
    expect((await command(files, ['*.txt', '-o', 'out', ...quick])).status).toBe(0)
    expect(await tree(files, 'out')).toEqual(['a.txt', 'b.txt'])
    expect((await command(files, ['a.txt', '-o', 'made/one.txt', ...quick])).status).toBe(0)
    expect(await read(files, 'made/one.txt')).toBe('[CUSTOMER]')
    expect((await command(files, ['a.txt', '-o', '-', ...quick])).out).toBe('[CUSTOMER]')
  })

  test('never replaces an output unasked, nor one of its own by another', async () => {
    const files = await folderOf({ 'a.txt': 'C-123456', 'a.anonymised.txt': 'mine', 'b/a.txt': 'x', 'c/a.txt': 'x' })
    const { status, out } = await command(files, ['a.txt', ...quick])
    expect([status, out.replace(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringMatching(/Left out a\.txt: .* exists; --overwrite replaces it/),
    ])
    expect(await read(files, 'a.anonymised.txt')).toBe('mine')
    await command(files, ['a.txt', '--overwrite', ...quick])
    expect(await read(files, 'a.anonymised.txt')).toBe('[CUSTOMER]')
    await command(files, ['b/a.txt', 'c/a.txt', 'c/a.txt', '-o', 'out', ...quick])
    expect(await tree(files, 'out')).toEqual(['a (2).txt', 'a.txt'])
  })

  test('neither replaces its input, nor what is no file, nor what others have numbered', async () => {
    const files = await folderOf({ 'in/a.txt': 'C-123456', 'b/a.txt': 'C-123456', 'out/a (2).txt': 'mine' })
    await mkdir(join(files, 'other/a.txt'), { recursive: true })
    const own = await command(files, ['in/a.txt', '-o', 'in', '--overwrite', ...quick])
    expect([own.status, own.out]).toEqual([1, expect.stringContaining('FAILED in/a.txt: its output would replace it')])
    const blocked = await command(files, ['in/a.txt', '-o', 'other', '--overwrite', ...quick])
    expect([blocked.status, blocked.out]).toEqual([1, expect.stringMatching(/FAILED in\/a\.txt: .* is no file/)])
    await command(files, ['in/a.txt', 'b/a.txt', '-o', 'out', ...quick])
    expect([await tree(files, 'out'), await read(files, 'out/a (2).txt')]).toEqual([
      ['a (2).txt', 'a (3).txt', 'a.txt'],
      'mine',
    ])
    expect(await read(files, 'in/a.txt')).toBe('C-123456')
  })

  test('gives an output the mode of its input', async () => {
    const files = await folderOf({ 'a.txt': 'C-123456', 'b.txt': 'C-123456' })
    await chmod(join(files, 'a.txt'), 0o600)
    await chmod(join(files, 'b.txt'), 0o640)
    await command(files, ['a.txt', 'b.txt', ...quick])
    const modes = ['a', 'b'].map(name => statSync(join(files, `${name}.anonymised.txt`)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o640])
  })

  test('leaves out a folder of outputs that is named', async () => {
    const files = await folderOf({ 'in.anonymised/a.txt': 'C-123456' })
    const { status, out } = await command(files, ['in.anonymised', ...quick])
    expect([status, out]).toEqual([1, expect.stringContaining('Left out in.anonymised: outputs')])
    expect(await tree(files)).toEqual(['in.anonymised', 'in.anonymised/a.txt'])
  })

  test('says in plain words why a file has no output', async () => {
    const files = await folderOf({ 'in/a.txt': 'C-123456', 'in/b/c.txt': 'C-123456', 'in.anonymised/b': '' })
    const { status, out } = await command(files, ['in', ...quick])
    expect(status).toBe(1)
    expect(out).toMatch(/FAILED in\/b\/c\.txt: .*a file stands where a folder is needed/)
    expect(out).toContain('1 anonymised, 1 failed')
  })

  test('shows what steers a terminal spelt out, and whole lines where there is none', async () => {
    const name = `a\u001b]0;x\u0007\n${'long '.repeat(30)}.txt`
    const files = await folderOf({ [name]: 'C-123456\u009b2J' })
    const { out } = await command(files, [name, ...quick, '--diff'])
    expect(out).toContain('a\\u001b]0;x\\u0007\\u000along long ')
    expect(out).not.toMatch(/[^\P{Cc}\n]/u)
    expect(out.split('\n')[0]!.length).toBeGreaterThan(200)
    const narrow = await command(files, [name, ...quick, '--overwrite'], '', 40)
    expect(narrow.out.split('\n').length).toBeGreaterThan(8)
    expect((await command(files, ['no\u001b[2Jthing'])).err).toContain('no\\u001b[2Jthing')
  })

  test('says what an output lacks', async () => {
    const mail = 'Received: from a by b\nReceived: from c by d\nFrom: a@example.org\nSubject: C-123456\n\nHello\n'
    const files = await folderOf({ 'a.eml': mail })
    expect((await command(files, ['a.eml', ...quick])).out).toContain('  removed: 2 transport headers\n')
  })

  test('fails what it can not anonymise, leaves nothing of it, and does the others', async () => {
    const files = await folderOf({
      'in/a.txt': 'C-123456',
      'in/b.pdf': '%PDF-1.7\nno document',
      'only/b.pdf': '%PDF-1.7\nno',
    })
    const { status, out } = await command(files, ['in', ...quick])
    expect([status, out]).toEqual([1, expect.stringMatching(/FAILED in\/b\.pdf: \w+/)])
    expect(await tree(files, 'in.anonymised')).toEqual(['a.txt'])
    expect((await command(files, ['only', ...quick])).status).toBe(1)
    expect(await tree(files)).not.toContain('only.anonymised')
  })

  test('a dry run writes nothing, tells places but no values, and its status tells whether there is anything', async () => {
    const files = await folderOf({
      'a.txt': 'one\ntwo C-123456\n',
      'b.csv': 'id,ref\n1,C-123456\n',
      'clean.txt': 'nothing',
    })
    const { status, out } = await command(files, ['.', '--dry-run', ...quick])
    expect(status).toBe(3)
    expect(out).toMatch(/2:5 +Customer +1\.00 regex/)
    expect(out).toMatch(/row 2, ref +Customer/)
    expect(out).not.toContain('C-123456')
    expect((await command(files, ['clean.txt', '--dry-run', ...quick])).status).toBe(0)
    const told = JSON.parse((await command(files, ['a.txt', '--dry-run', '--json', ...quick])).out)
    expect(told.files[0].matches).toEqual([
      {
        start: 8,
        end: 16,
        label: 'Customer',
        score: 1,
        reason: { by: 'regex' },
        place: { kind: 'body' },
        line: 2,
        column: 5,
      },
    ])
    const sarif = JSON.parse((await command(files, ['a.txt', '--dry-run', '--sarif', ...quick])).out)
    expect(sarif.runs[0].results).toEqual([
      {
        ...{ ruleId: 'Customer', level: 'warning', message: { text: 'Customer found' }, properties: { score: 1 } },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'a.txt' },
              region: { startLine: 2, startColumn: 5, endLine: 2, endColumn: 13 },
            },
          },
        ],
      },
    ])
    expect(sarif.runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['Customer'])
    expect(await tree(files)).toEqual(['a.txt', 'b.csv', 'clean.txt'])
  })

  test('shows each value and what stands in its place where it is asked to', async () => {
    const files = await folderOf({ 'a.txt': 'two C-123456\n' })
    expect((await command(files, ['a.txt', '--dry-run', '--diff', ...quick])).out).toMatch(
      /- C-123456\n +\+ \[CUSTOMER\]/,
    )
  })

  test('takes presets, models by their labels, and workflows of a file', async () => {
    const workflow = {
      config: {
        rules: [
          {
            rule: { name: 'Ref', type: 'REGEX', config: { regexRuleConfig: { pattern: 'C-\\d{6}' } } },
            replacement: { mask: { keepLast: 2 } },
          },
        ],
      },
    }
    const files = await folderOf({
      'a.txt': `${LETTER}C-123456, 4111 1111 1111 1111`,
      'w.json': JSON.stringify(workflow),
    })
    const made = async (...args: string[]) => (await command(files, ['a.txt', '-o', '-', ...args])).out
    expect(await made('--workflow', 'w.json')).toBe(`${LETTER}******56, 4111 1111 1111 1111`)
    expect(await made('--model', 'pii-patterns:EMAIL')).toContain('Grace Miller, write to [EMAIL]')
    // A version that ships no more.
    expect(await made('--model', 'pii-ner@2.2.0:PERSON')).toContain('[PERSON], write to ada@example.org')
    expect(await made('--preset', 'secrets')).toContain('Grace Miller, write to ada@example.org')
    expect((await command(files, ['--preset', 'list'])).out).toContain('hipaa-safe-harbor: ')
  })

  test('keeps what is finished when it is interrupted, and nothing else', async () => {
    const long = 'Grace Miller wrote to ada@example.org about it. '.repeat(40_000)
    const files = await folderOf({ 'in/a.txt': 'Grace Miller wrote', 'in/b.txt': long })
    const child = spawn(process.execPath, [script, 'in'], { cwd: files })
    const ended = once(child, 'exit')
    while (!(await tree(files)).includes('in.anonymised/a.txt')) await sleep(20)
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(await tree(files)).toEqual(['in', 'in.anonymised', 'in.anonymised/a.txt', 'in/a.txt', 'in/b.txt'])
  })
})

test('lines are broken between words', () => {
  expect(wrap('one two three', 8)).toBe('one two\n  three')
})
