import { scanNamed } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import { builtInForms, type DateForm, dateForms } from './date-forms.ts'
import { officeNamespaces } from './namespaces.ts'
import { type NumberMask, numberMask } from './number-masks.ts'

/** Numbers of the built-in formats that show dates or times. */
const builtIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Of these, programs show the form of the country, whatever code a file has for them. */
const ofCountry: ReadonlySet<number> = new Set([14, 22])

const formsBeside = (id: number, code: string | undefined) =>
  code === undefined || ofCountry.has(id) ? builtInForms(id) : []

/** How cells of each style, by its number, show a number: as a date or a time, in what forms, or through a mask. */
export type NumberStyles = { dates: boolean[]; forms: (readonly DateForm[])[]; masks: (NumberMask | undefined)[] }

/** Of a workbook without styles. */
export const noStyles = (): NumberStyles => ({ dates: [], forms: [], masks: [] })

/** How the styles of a workbook show numbers. */
export function numberStyles(source: string): NumberStyles {
  const formats = new Map<number, string>()
  const forms = new Map<number, readonly DateForm[]>()
  const formsOf = (id: number, code: string | undefined) => {
    const known = forms.get(id) ?? [...(code === undefined ? [] : dateForms(code)), ...formsBeside(id, code)]
    forms.set(id, known)
    return known
  }
  const styles = noStyles()
  let inCells = false
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, _start, _end, _empty, attributes) {
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value ?? ''
        if (name === 's:numFmt') formats.set(Number(value('numFmtId')), decodeXml(value('formatCode')))
        else if (name === 's:cellXfs') inCells = true
        else if (name === 's:xf' && inCells) {
          const id = Number(value('numFmtId'))
          const code = formats.get(id)
          const isDate = code === undefined ? builtIn(id) : showsDate(code)
          styles.dates.push(isDate)
          styles.forms.push(isDate ? formsOf(id, code) : [])
          styles.masks.push(code === undefined ? undefined : numberMask(code))
        }
      },
      close(name) {
        if (name === 's:cellXfs') inCells = false
      },
      text() {},
    },
    1024,
  )
  return styles
}

/** Whether a number format shows numbers as dates or times. */
export function showsDate(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '')
  return /[ymdhs]/i.test(bare.replace(/general/gi, '')) && !/[#0?]/.test(bare.replace(/[ymdhs][.:]0+/gi, ''))
}

const day = 86_400_000

/** The day after the last one that programs show, and days by which numbers that count from 1904 are less. */
const end = 2_958_466
const less1904 = 1462

/** Whether a number is one of a day that programs show: up to the last whole second of the year 9999. */
export const isShownAsDate = (serial: number, from1904: boolean): boolean =>
  serial >= 0 && serial < end - (from1904 ? less1904 : 0) - 500 / day

/** A serial number of a spreadsheet as `YYYY-MM-DD`, with the time where it has one; undefined beyond the year 9999. */
export function isoDate(serial: number, from1904: boolean): string | undefined {
  if (!isShownAsDate(serial, from1904)) return undefined
  // 1900 is a leap year to spreadsheets, so days before 1 March 1900 count from one day later.
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const text = new Date(Math.round((epoch + serial * day) / 1000) * 1000).toISOString()
  const [date, time] = [text.slice(0, 10), text.slice(11, 19)]
  if (Number.isInteger(serial)) return date
  return serial < 1 ? time : `${date} ${time}`
}

/** The serial number of a date that is written as {@link isoDate} writes it; nothing for any other text. */
export function serialNumber(text: string, from1904: boolean): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d))?$/.exec(text)
  if (parts === null) return undefined
  const serial = serialOf(parts[1]!, from1904, parts[2])
  return isoDate(serial, from1904) === text ? serial : undefined
}

/** The serial number of a date that a cell holds as ISO 8601 writes it, with a time or without. */
export function writtenSerial(text: string, from1904: boolean): number | undefined {
  const parts = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?Z?\s*$/i.exec(text)
  if (parts === null) return undefined
  const serial = serialOf(parts[1]!, from1904, parts[2])
  return Number.isNaN(serial) ? undefined : serial
}

function serialOf(date: string, from1904: boolean, time = '00:00:00'): number {
  const days = (Date.parse(`${date}T${time}Z`) - (from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30))) / day
  return !from1904 && days < 61 ? days - 1 : days
}
