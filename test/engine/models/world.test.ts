import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderSource } from '../../../shared/engine/models/classifier.ts'
import { loadModel } from '../../../shared/engine/models/load-model.ts'

/** The model of all scripts, which does not ship: models/pii-ner-world/README.md says how it is made. */
const reference = { modelId: 'pii-ner-world', modelVersion: '2.5.0' }
const root = process.env.OWN_MODELS ?? join(import.meta.dirname, '../../../.local/own-models')
const isHere = existsSync(join(root, reference.modelId, reference.modelVersion))
if (!isHere) console.warn(`SKIPPED: ${reference.modelId} is not in ${root}`)

test.skipIf(!isHere).each([
  ['zh', '主治医生王建国确认，李晓燕在杭州市接受检查。', ['PERSON 王建国', 'PERSON 李晓燕', 'LOCATION 杭州市']],
  ['ja', '患者の吉田太一は国立市に住んでいます。', ['PERSON 吉田太一', 'LOCATION 国立市']],
  ['ko', '환자 박준영은 안성시에 살고 있습니다.', ['PERSON 박준영은', 'LOCATION 안성시에']],
  ['ar', 'يعيش المريض محمد الحسيني في القاهرة.', ['PERSON محمد الحسيني', 'LOCATION القاهرة']],
  ['he', 'התובע אהרון חטיב דרש פיצויים מן הנתבע עדי שמיר.', ['PERSON אהרון חטיב', 'PERSON עדי שמיר']],
  ['hi', 'रोगी विजय मेहता हैदराबाद में रहते हैं।', ['PERSON विजय मेहता', 'LOCATION हैदराबाद']],
  ['th', 'ผู้ป่วยชื่อจันทนา มิ่งขวัญ อาศัยอยู่ที่กรุงเทพมหานคร', ['PERSON จันทนา มิ่งขวัญ', 'LOCATION กรุงเทพมหานคร']],
  ['pl', 'Rozmawiałem z Ziemowitem Wielgomasem w Krakowie.', ['PERSON Ziemowitem Wielgomasem', 'LOCATION Krakowie']],
])('pii-ner-world reads %s', async (_, text, expected) => {
  const model = await loadModel(reference, [folderSource(root, 1)])
  const [found] = await model.detect([text], { threshold: 0.5, entities: ['PERSON', 'LOCATION'] })
  expect(found!.map(({ start, end, label }) => `${label} ${text.slice(start, end)}`)).toEqual(expected)
})

test.skipIf(!isHere)('it finds nothing in text without names', async () => {
  const model = await loadModel(reference, [folderSource(root, 1)])
  const texts = [
    '会议开始前，请把材料发给大家。',
    '会議の前に資料を全員に送ってください。',
    '회의 전에 자료를 모두에게 보내 주세요.',
    'يرجى إرسال المواد إلى الجميع قبل الاجتماع.',
    'กรุณาส่งเอกสารให้ทุกคนก่อนการประชุม',
  ]
  expect(await model.detect(texts, { threshold: 0.5 })).toEqual(texts.map(() => []))
})
