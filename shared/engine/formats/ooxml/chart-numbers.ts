import { withoutMarks } from '../../detect/normalise.ts'
import type { Reading } from '../format.ts'
import { decodeXml } from '../xml/text.ts'
import { dateForms } from './date-forms.ts'
import { dateReadings } from './date-readings.ts'
import { maskedNumber, numberMask } from './number-masks.ts'
import { isoDate, serialNumber, showsDate } from './styles.ts'

/** How the numbers that a chart keeps of its cells are shown; `own` is the format of a single one. */
export type ChartFormat = { code: string; own?: string; from1904: boolean }

/** How numbers are shown where nothing is said. */
export const plainChart = (): ChartFormat => ({ code: '', from1904: false })

/** Where a chart keeps numbers, by the names of the element and those around it, the innermost first. */
export const isChartNumber = (element: string, parent = '', around = ''): boolean =>
  (element === 'c:v' && parent === 'c:pt' && /^c:num(?:Cache|Lit)$/.test(around)) ||
  (element === 'cx:pt' && parent === 'cx:lvl' && around === 'cx:numDim')

const decoded = (value: string | undefined) => value && decodeXml(value)

/** Notes what the start tag of an element says of how numbers are shown. */
export function readChartFormat(
  format: ChartFormat,
  element: string,
  attributes: readonly { canonical: string; value: string }[],
): void {
  const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value
  if (element === 'c:date1904') format.from1904 = !/^(?:0|false)$/.test(value('val') ?? '1')
  else if (/^c:num(?:Cache|Lit)$/.test(element)) format.code = ''
  else if (element === 'c:pt') format.own = decoded(value('formatCode'))
  else if (element === 'cx:lvl') format.code = decoded(value('formatCode')) ?? ''
}

/** A number of a chart as its format shows it, with marks where that is a mask; nothing where it is shown as it is written. */
export function shownNumber(raw: string, { code: common, own, from1904 }: ChartFormat): string | undefined {
  const code = own ?? common
  const number = Number(raw)
  if (code === '' || raw.trim() === '' || !Number.isFinite(number)) return undefined
  if (showsDate(code)) return isoDate(number, from1904)
  const mask = numberMask(code)
  return mask && maskedNumber(String(number), mask)
}

/** How people may see a date or a time of a chart, in place of its text. */
export function chartReadings(raw: string, { code, own, from1904 }: ChartFormat, text: string): Reading[] {
  const format = own ?? code
  if (text === raw || !showsDate(format)) return []
  return dateReadings(dateForms(format), Number(raw), from1904, text)
}

/** What is written in place of a number that was replaced: another date where it is one. */
export const chartNumber = (text: string, { from1904 }: ChartFormat): string =>
  String(serialNumber(withoutMarks(text), from1904) ?? 0)
