import { describe, expect, test } from 'vitest'
import { command, folderOf, LETTER, tree } from './command.ts'

/** What people do wrong, and what they are told. `OK` stands for a file that is there. */
const mistakes: [what: string, args: string[], told: RegExp][] = [
  ['nothing', [], /Give a file or a folder/],
  ['a file that is not there', ['nothing.txt'], /There is no file or folder .*nothing\.txt/],
  ['a folder that is not there', ['nowhere/'], /There is no file or folder/],
  ['an empty path', [''], /A path is empty/],
  ['a pattern that matches nothing', ['*.docx'], /Nothing matches \*\.docx/],
  ['standard input and a file', ['-', 'OK'], /can't be combined/],
  ['standard input twice', ['-', '-'], /can't be combined/],
  ['an unknown option', ['OK', '--ruel', 'x'], /Unknown option '--ruel'/],
  ['an unknown short option', ['OK', '-x'], /Unknown option '-x'/],
  ['an option without its value', ['OK', '--rule'], /--rule <value>' argument missing/],
  ['a flag with a value', ['OK', '--json=yes'], /'--json' does not take an argument/],
  ['an option twice', ['OK', '--preset', 'default', '--preset', 'secrets'], /--preset can be given once only/],
  ['two outputs', ['OK', '-o', 'a', '-o', 'b'], /--out can be given once only/],
  ['a rule without a text', ['OK', '--rule', 'x'], /--rule must be NAME=PATTERN=TEXT/],
  ['a rule without a name', ['OK', '--rule', '=a=b'], /--rule must be NAME=PATTERN=TEXT/],
  ['a rule without a pattern', ['OK', '--rule', 'a==b'], /--rule must be NAME=PATTERN=TEXT/],
  ['a pattern that is none', ['OK', '--rule', 'a=(=b'], /--rule a: /],
  ['a pattern that matches nothing at all', ['OK', '--rule', 'a=x*=b'], /--rule a: .*empty/],
  ['a pattern that is too long', ['OK', '--rule', `a=${'x'.repeat(1001)}=b`], /--rule a: /],
  ['a text with an unknown name in braces', ['OK', '--rule', 'a=b={{who}}'], /replacement can't be applied/],
  ['only rules, and none', ['OK', '--only-rules'], /--only-rules needs at least one --rule/],
  [
    'only rules, and a preset',
    ['OK', '--only-rules', '--rule', 'a=b=c', '--preset', 'default'],
    /--only-rules leaves nothing/,
  ],
  ['an unknown preset', ['OK', '--preset', 'gdpr'], /There is no preset gdpr: default, /],
  ['a preset and a workflow', ['OK', '--preset', 'default', '--workflow', 'OK'], /--workflow or --preset, not both/],
  ['an unknown model', ['OK', '--model', 'gpt'], /There is no model gpt: /],
  ['an unknown version', ['OK', '--model', 'pii-ner@9.9.9'], /There is no model pii-ner 9\.9\.9/],
  ['an unknown label', ['OK', '--model', 'pii-ner:NAME'], /pii-ner finds no NAME; it finds PERSON/],
  ['a model in another form', ['OK', '--model', 'PII NER'], /--model must be ID/],
  ['a folder of models that is none', ['OK', '--models', 'nowhere'], /--models must be a folder/],
  ['a workflow that is not there', ['OK', '--workflow', 'w.json'], /The workflow .* can't be used: there is none/],
  ['a workflow that is no JSON', ['OK', '--workflow', 'OK'], /it is no JSON/],
  ['a workflow without rules', ['OK', '--workflow', 'EMPTY'], /has no rules/],
  ['a workflow with a rule that is none', ['OK', '--workflow', 'WRONG'], /Rule 1 of .* has no valid "rule"/],
  ['a dry run with an output', ['OK', '--dry-run', '-o', 'out'], /A --dry-run writes nothing/],
  ['SARIF without a dry run', ['OK', '--sarif'], /--sarif reports what a --dry-run finds/],
  ['two forms of report', ['OK', '--dry-run', '--json', '--sarif'], /--json or --sarif, not both/],
  ['a diff for programs', ['OK', '--diff', '--json'], /--diff is for people/],
  ['output and report in one stream', ['OK', '-o', '-', '--json'], /Standard output can hold the output or a report/],
  ['several files to standard output', ['OK', 'WRONG', '-o', '-'], /-o - takes one file only/],
  ['several files into a file', ['OK', 'WRONG', '-o', 'EMPTY'], /-o must be a folder for several files/],
  [
    'an output where nobody can write',
    ['OK', '-o', '/proc/x'],
    /^Nothing can be written to \/proc\/x: there is no such/,
  ],
  ['an output below a file', ['OK', '-o', 'EMPTY/x/'], /Nothing can be written to .*: a file stands where a folder/],
  [
    'an output that is a device',
    ['OK', '-o', '/dev/full'],
    /-o must be a folder or a file, and \/dev\/full is neither/,
  ],
  ['a file onto itself', ['OK', '-o', 'OK', '--overwrite'], /would replace its own input/],
  ['files in plain text to another machine', ['OK', '--url', 'http://example.org'], /--url must be an https/],
  ['an address with a password in it', ['OK', '--url', 'https://a:b@example.org'], /--url must be an https/],
  ['an address that is none', ['OK', '--url', 'example'], /--url must be an https/],
  ['an address where nothing answers', ['OK', '--url', 'http://127.0.0.1:9'], /No anonymisation service answers at/],
  ['a dry run on a service', ['OK', '--dry-run', '--url', 'https://example.org'], /With --url there is no/],
]

describe('mistakes', () => {
  const names = { OK: 'a.txt', EMPTY: 'empty.json', WRONG: 'wrong.json' } as Record<string, string>
  test.each(mistakes)('%s: told plainly, and nothing is written', async (_, args, told) => {
    const files = await folderOf({
      'a.txt': LETTER,
      'empty.json': '{}',
      'wrong.json': '{"rules": [{"rule": {"name": "x"}}]}',
    })
    const { status, err, out } = await command(
      files,
      args.map(arg => arg.replace(/^[A-Z]+/, name => names[name] ?? name)),
    )
    expect([err, out]).toEqual([expect.stringMatching(told), ''])
    expect(err.split('\n').length).toBeLessThan(4)
    expect([status, await tree(files)]).toEqual([2, ['a.txt', 'empty.json', 'wrong.json']])
  })

  test('are forty at least', () => expect(mistakes.length).toBeGreaterThanOrEqual(40))
})
