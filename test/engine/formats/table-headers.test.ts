import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { call, regexRule } from '../call.ts'
import { makeOffice, readZip, relationships } from './package.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const letters = 'ABC'

const cell = (text: string, at: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

/** A workbook with a table of three columns, whose last cell is computed; `plain` rows are read as bytes. */
const book = (names: string[], values: string[], formula: string, plain: boolean) => {
  const row = (texts: string[], number: number) => texts.map((text, n) => cell(text, `${letters[n]}${number}`)).join('')
  const computed = `<row r="3"><c r="C3"><f>${formula}</f><v>1</v></c></row>`
  const columns = names.map((name, n) => `<tableColumn id="${n + 1}" name="${name}"/>`).join('')
  return makeOffice('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}" xmlns:r="${office}"><sheetData><row r="1">${row(names, 1)}</row><row r="2">${row(values, 2)}</row>${plain ? '' : computed}</sheetData><tableParts count="1"><tablePart r:id="t1"/></tableParts></worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships([['t1', 'table', '../tables/table1.xml']]),
    'xl/tables/table1.xml': `<table xmlns="${main}" id="1" name="T" displayName="T" ref="A1:C3"><autoFilter ref="A1:C3"><filterColumn colId="0"/></autoFilter><tableColumns count="3">${columns}</tableColumns></table>`,
  })
}

async function clean(bytes: Uint8Array, ...rules: PlannedRule[]) {
  const { output, report } = await anonymise(call({ input: bufferInput('a.xlsx', bytes), rules }))
  const files = readZip(await output.read(0, output.size))
  const table = files.get('xl/tables/table1.xml')!.toString()
  const sheet = files.get('xl/worksheets/sheet1.xml')!.toString()
  return {
    names: [...table.matchAll(/<tableColumn [^>]*name="([^"]*)"/g)].map(([, name]) => name),
    header: [...sheet.matchAll(/<c r="[A-C]1"[^>]*><is><t[^>]*>([^<]*)/g)].map(([, text]) => text),
    formula: /<f>(.*)<\/f>/.exec(sheet)?.[1],
    isHeadless: table.includes('ref="A2:C3" headerRowCount="0"') || table.includes('headerRowCount="0" ref="A2:C3"'),
    hasFilter: table.includes('autoFilter'),
    dropped: report.dropped,
  }
}

describe.each([true, false])('columns of a table, in rows that are read as bytes: %s', plain => {
  const rule = regexRule('X', '\\bZy\\w+')

  test('are called what the header shows', async () => {
    const found = await clean(book(['Zya', 'b', 'c'], ['1', '2', '3'], 'SUM(T[Zya])', plain), rule)
    expect(found.names).toEqual(['[X]', 'b', 'c'])
    expect(found.header).toEqual(found.names)
    expect([found.isHeadless, found.hasFilter, found.dropped]).toEqual([false, true, []])
  })

  test('differ, and leave the header to the sheet where it shows them alike', async () => {
    const found = await clean(book(['Zya', 'Zyb', 'c'], ['1', '2', '3'], 'SUM(T[Zyb])', plain), rule)
    expect(found.names.toSorted()).toEqual(['[X]', '[X]_2', 'c'])
    expect(found.header).toEqual(['[X]', '[X]', 'c'])
    const written = found.names[1]!.replace(/[[\]]/g, '&apos;$&')
    expect(found.formula).toBe(plain ? undefined : `SUM(T[${written}])`)
    expect([found.isHeadless, found.hasFilter]).toEqual([true, false])
    expect(found.dropped).toEqual([{ what: 'headers of tables', count: 1 }])
  })

  test('hide a value of another column that their header may show', async () => {
    const only = regexRule('X', '\\bZy\\w+', { columns: ['b'] })
    const found = await clean(book(['a', 'b', 'all Zyanne'], ['1', 'Zyanne', '3'], 'SUM(T[all Zyanne])', plain), only)
    expect(found.header[2]).toBe('all Zyanne')
    expect(found.names[2]).toBe('all [X]')
    expect(found.isHeadless).toBe(true)
  })
})
