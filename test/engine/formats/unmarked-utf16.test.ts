import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { looksLikeUtf16 } from '../../../shared/engine/formats/text/first-bytes.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { runs } from '../../runs.ts'
import { call, regexRule } from '../call.ts'

/** A sentence in each script, with a name in it. */
const sentences = {
  Russian: ['Сидоров', 'Уважаемый Иван Сидоров, мы рады сообщить вам о решении комиссии.'],
  Greek: ['Παπαδόπουλος', 'Αγαπητέ κύριε Παπαδόπουλος, σας ευχαριστούμε για την επιστολή σας.'],
  Hebrew: ['כהן', 'שלום משה כהן, אנו שמחים להודיע לך על החלטת הוועדה.'],
  Arabic: ['الحسيني', 'السيد أحمد الحسيني، يسعدنا إبلاغكم بقرار اللجنة.'],
  Hindi: ['शर्मा', 'प्रिय रमेश शर्मा, हमें आपको समिति के निर्णय की सूचना देते हुए खुशी हो रही है।'],
  Thai: ['สมชาย', 'เรียนคุณ สมชาย เรายินดีที่จะแจ้งให้คุณทราบถึงการตัดสินใจของคณะกรรมการ'],
  Georgian: ['ბერიძე', 'ძვირფასო გიორგი ბერიძე, მოხარული ვართ გაცნობოთ კომისიის გადაწყვეტილება.'],
  Chinese: ['王小明', '尊敬的王小明先生,我们很高兴地通知您委员会的一个决定。'],
  Japanese: ['田中', '田中さま、委員会の決定をお知らせいたします。'],
  Korean: ['김철수', '친애하는 김철수 님, 위원회의 결정을 알려드리게 되어 기쁩니다.'],
  Vietnamese: ['Nguyễn', 'Kính gửi ông Nguyễn, chúng tôi vui mừng thông báo quyết định của ủy ban.'],
  Polish: ['Wiśniewski', 'Szanowny Panie Wiśniewski, z przyjemnością informujemy o decyzji komisji.'],
} as const

const formats: Record<string, (text: string) => string> = {
  'a.txt': text => `${text}\n`.repeat(4),
  'a.md': text => `# 1\n\n${text}\n`,
  'a.html': text => `<div><p>${text.repeat(9)}</p></div>`,
  'a.xml': text => `<?xml version="1.0"?><a><b>${text.repeat(9)}</b></a>`,
  'a.json': text => JSON.stringify({ a: text.repeat(9), b: 1 }),
  'a.csv': text => `a;b\n"${text}";1\n"${text}";2\n`,
}

const cases = Object.entries(sentences).flatMap(([script, [name, sentence]]) =>
  (['utf-16le', 'utf-16be'] as const).map(order => ({ script, name, sentence, order })),
)

describe('UTF-16 without a mark', () => {
  test.each(cases)('in $script, $order, is read and written as what it is', async ({ name, sentence, order }) => {
    for (const [file, make] of Object.entries(formats)) {
      const text = make(sentence)
      const assetType = file.endsWith('.csv') ? 'TABLE' : 'DOCUMENT'
      const input = bufferInput(file, iconv.encode(text, order, { addBOM: false }))
      const { output } = await anonymise(call({ input, assetType, rules: [regexRule('N', name)] }))
      const said = new TextDecoder(order, { fatal: true }).decode(await output.read(0, output.size))
      expect(said, file).not.toContain(name)
      expect(said.split('[N]').length, file).toBe(text.split(name).length)
    }
  })

  test('is not what a text of bytes with a few zeros in it is taken for', () => {
    const piece = fc.constantFrom(
      'Hello there ',
      'Уважаемый Иван ',
      'Grüße aus Köln ',
      '1,5;2\r\n',
      '<p>a</p>',
      '\0',
      'x',
    )
    const encoding = fc.constantFrom('utf8', 'windows-1251', 'windows-1252')
    fc.assert(
      fc.property(fc.array(piece, { minLength: 8, maxLength: 60 }), encoding, (pieces, name) => {
        const zeros = pieces.filter(one => one === '\0').length
        fc.pre(zeros <= 3)
        expect(looksLikeUtf16(iconv.encode(pieces.join(''), name))).toBeUndefined()
      }),
      { numRuns: runs(5000) },
    )
  })

  test('that cannot be told is refused, not passed through unread', async () => {
    const text = '<p>Иван Сидоров\u0001 из города</p>'
    const input = bufferInput('a.html', iconv.encode(text, 'utf-16le', { addBOM: false }))
    await expect(anonymise(call({ input, rules: [regexRule('N', 'Сидоров')] }))).rejects.toMatchObject({
      type: 'unsupported_format',
    })
  })
})
