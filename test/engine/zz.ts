import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { call, regexRule } from './call.ts'
const M = 12_000_000
const pdf = `JVBERi0x${'Ab9+'.repeat(M / 4)}`
const cases: [string, string][] = [
  ['a.html', `<p>Zebulon${' '.repeat(M)}x</p>`],
  ['b.html', `<p>Zebulon ${pdf}</p>`],
  ['c.html', `<p>Zebulon <img src="data:image/png;base64,${pdf}"></p>`],
  ['a.txt', `Zebulon ${pdf}\n`],
  ['b.txt', `Zebulon ${' '.repeat(M)}x\n`],
  ['c.txt', `Zebulon ${'ab'.repeat(M / 2)}x\n`],
  ['d.txt', `Zebulon ${'Ab'.repeat(M / 2)}=\n`],
  ['a.json', JSON.stringify({ a: 'Zebulon', b: pdf })],
  ['a.xml', `<a><b>Zebulon</b><c>${pdf}</c><d e="${pdf}"/></a>`],
  ['a.csv', `a,b\nZebulon,${pdf}\n`],
  ['a.md', `Zebulon ${pdf}\n\n${'`'.repeat(M)}\n`],
  ['b.md', `Zebulon\n\n${'- '.repeat(M / 2)}\n`],
  ['a.vcf', `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zebulon\r\nPHOTO;ENCODING=b:${pdf}\r\nEND:VCARD\r\n`],
  ['a.eml', `From: a@b.example\r\nSubject: Zebulon\r\n\r\n${pdf}\r\n`],
  ['a.rtf', `{\\rtf1 Zebulon {\\*\\blob ${'4a'.repeat(M / 2)}}}`],
]
for (const [name, text] of cases.filter(([n]) => !process.argv[2] || n === process.argv[2])) {
  const t = process.cpuUsage().user
  try {
    const { findings } = await anonymise(call({ input: bufferInput(name, Buffer.from(text)), rules: [regexRule('X', 'Zebulon')] }))
    console.log(name, findings.map(f => f.count), ((process.cpuUsage().user - t) / 1e6).toFixed(1))
  } catch (e) {
    console.log(name, 'ERR', (e as Error).name, (e as { code?: string }).code, (e as Error).message.slice(0, 100), ((e as Error).stack ?? '').split('\n').slice(1, 4).join(' ').slice(0, 200))
  }
}
