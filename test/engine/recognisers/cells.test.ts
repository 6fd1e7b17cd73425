import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { folderSource } from '../../../shared/engine/models/classifier.ts'
import { modelLoader } from '../../../shared/engine/models/model-loader.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { patternSource } from '../../../shared/engine/recognisers/index.ts'
import { call } from '../call.ts'
import { makeOffice, readZip, relationships } from '../formats/package.ts'

const models = modelLoader([patternSource, folderSource(join(import.meta.dirname, '../../../models'), 1)])
const ruleOf = (modelId: string): PlannedRule => ({
  ruleId: modelId,
  name: modelId,
  detection: { type: 'AIMODEL', modelId, modelVersion: '1.0.0', confidenceThreshold: 0.5 },
  replacement: { text: '[{{label}}]' },
})
const patterns = [ruleOf('pii-patterns')]

async function run(name: string, bytes: Uint8Array, rules = patterns) {
  const { output } = await anonymise(call({ input: bufferInput(name, bytes), rules, assetType: 'TABLE', models }))
  return Buffer.from(await output.read(0, output.size))
}

type Columns = Record<string, readonly (string | number)[]>

/** The table that is left of one with these columns, as CSV: row after row. */
async function csv(columns: Columns, rules = patterns): Promise<string[][]> {
  const names = Object.keys(columns)
  const rows = Object.values(columns)[0]!.map((_, row) => names.map(name => columns[name]![row]).join(';'))
  const bytes = await run('table.csv', Buffer.from([names.join(';'), ...rows, ''].join('\n')), rules)
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => line.split(';'))
}
const columnOf = (rows: string[][], name: string) => rows.slice(1).map(row => row[rows[0]!.indexOf(name)])

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** What is left of a workbook with these texts. */
async function workbook(rows: readonly (readonly string[])[], rules = patterns): Promise<string[][]> {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const data = rows.map(row => `<row>${row.map(cell).join('')}</row>`).join('')
  const book = makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
  })
  const sheet = readZip(await run('t.xlsx', book, rules))
    .get('xl/worksheets/sheet1.xml')!
    .toString()
  const texts = (row: string) => Array.from(row.matchAll(/<c[ >].*?<\/c>/g), ([one]) => one.replace(/<[^>]*>/g, ''))
  return Array.from(sheet.matchAll(/<row.*?<\/row>/g), ([row]) => texts(row))
}

test('a column of given names is one without a heading, too; one of things is none', async () => {
  const given = ['Annegret', 'Fenja', 'Döndü', 'Gerd', 'Swantje', 'Enno', 'Hinrich']
  const things = ['Hammer', 'Säge', 'Zange', 'Feile', 'Bohrer', 'Hobel', 'Gerd']
  const table = given.map((name, row) => `10${row};${name};${things[row]};${row + 3},50`).join('\n')
  const left = (await run('table.csv', Buffer.from(`${table}\n`))).toString().trimEnd().split('\n')
  expect(left.map(line => line.split(';')[1])).toEqual(given.map(() => '[PERSON]'))
  expect(left.slice(0, 6).map(line => line.split(';')[2])).toEqual(things.slice(0, 6))
})

test('amounts, prices and counts are no identifiers, whatever the model of language takes them for', async () => {
  const names = ['Preis', 'amount', 'Cantidad', 'prix', 'importo', 'Aantal', 'kwota', 'Preço', 'Gesamtbetrag', '%']
  const rows = await csv(Object.fromEntries(names.map(name => [name, ['499', '612345678', '915551234']])), [
    ...patterns,
    ruleOf('pii-ner'),
  ])
  for (const name of names) expect(columnOf(rows, name)).toEqual(['499', '612345678', '915551234'])
})

test('the name of a column in its first cell is no value of it, and stays', async () => {
  const sheet = await workbook([
    ['Name', 'Vorname', 'PLZ', 'Ort', 'Adres'],
    ['Oberhuber', 'Xaver', '94032', 'Passau', 'Am Graben 5'],
    ['Zöllner', 'Birgit', '94034', 'Passau', 'Am Graben 7'],
  ])
  expect(sheet).toEqual([
    ['Name', 'Vorname', 'PLZ', 'Ort', 'Adres'],
    ...Array(2).fill(['[PERSON]', '[PERSON]', '[LOCATION]', '[LOCATION]', '[ADDRESS]']),
  ])
})

test('a column called as any is one of persons beside one of given names, or where the lists know its names', async () => {
  const surnames = ['Petit', 'Benmoussa', 'Bergerac']
  const beside = await csv({ Nom: surnames, Prénom: ['Rose', 'Karim', 'Anaïs'] })
  expect(columnOf(beside, 'Nom')).toEqual(Array(3).fill('[PERSON]'))
  const listed = await csv({ id: [1, 2, 3], name: ['Winifred Oakes', 'Piotr Zak', 'Anna Petrova'] })
  expect(columnOf(listed, 'name')).toEqual(Array(3).fill('[PERSON]'))
  const things = ['Schraube', 'Mutter', 'Waschmaschine Luna']
  expect(columnOf(await csv({ id: [1, 2, 3], name: things }), 'name')).toEqual(things)
})

test('accounts are replaced whole where the column is called as a directory calls it', async () => {
  for (const name of ['SamAccountName', 'sAMAccountName']) {
    const rows = await csv({ [name]: ['mferri_ext', 'cbianchi', 'prossetti'], room: [11, 12, 13] })
    expect(columnOf(rows, name)).toEqual(Array(3).fill('[USERNAME]'))
  }
})

test('numbers of persons and of their files are replaced whole where the column is called so', async () => {
  for (const name of ['Pat-Nr', 'Kundennummer', 'patient_id', 'Nº cliente', 'numero paziente', 'klantnummer', 'MRN']) {
    const rows = await csv({ [name]: [100238, 100239, 100240], room: [11, 12, 13] })
    expect(rows.slice(1)).toEqual([11, 12, 13].map(room => ['[ID]', String(room)]))
  }
})

test('the cell before one says what it is where its column does not', async () => {
  const rows = [
    ['FACTURA Nº', 'F-2025/0331'],
    ['Cliente', 'Hermenegildo Arrizabalaga'],
    ['Total', '499'],
    ['Kunde', 'Waltraud Niedermeier'],
  ]
  const left = [
    ['FACTURA Nº', '[ID]'],
    ['Cliente', '[PERSON]'],
    ['Total', '499'],
    ['Kunde', '[PERSON]'],
  ]
  expect(await workbook(rows)).toEqual(left)
  const bytes = await run('t.csv', Buffer.from(rows.map(row => row.join(';')).join('\n')))
  expect(bytes.toString()).toBe(left.map(row => row.join(';')).join('\n'))
})

test('numbers in a column that is called as they are stay for no wrong check digit', async () => {
  const rows = await csv({ id: [1, 2], PESEL: ['92071814764', '92071814765'], NumeroCivico: ['14', '7b'] })
  expect(columnOf(rows, 'PESEL')).toEqual(['[NATIONAL_ID]', '[NATIONAL_ID]'])
  expect(columnOf(rows, 'NumeroCivico')).toEqual(['[ADDRESS]', '[ADDRESS]'])
})

test('names of columns in short stay where others say what they hold, and names of persons there do not', async () => {
  const head = ['Nom', 'Prénom', 'os_kontakt', 'PVT', 'Courriel', 'Yannick', 'ville']
  const rows = await csv(Object.fromEntries(head.map(name => [name, ['Tricoire', 'Sauvignac']])), [
    ...patterns,
    ruleOf('pii-ner'),
  ])
  expect(rows[0]).toEqual(['Nom', 'Prénom', 'os_kontakt', 'PVT', 'Courriel', '[PERSON]', 'ville'])
})
