/** A day of the Gregorian calendar. */
export type Civil = { year: number; month: number; day: number }

/** Days of a month. */
export const daysOf = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31

/** Whether there is such a day. */
export const isCivil = ({ year, month, day }: Civil): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)

/** Days since 1970-01-01. */
export function toDays({ year, month, day }: Civil): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const ofEra = y - era * 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
}

/** The day that is so many days after 1970-01-01. */
export function fromDays(days: number): Civil {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const march = Math.floor((5 * ofYear + 2) / 153)
  const month = march < 10 ? march + 3 : march - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * march + 2) / 5) + 1,
  }
}

/** Day of the week, 0 for Sunday. */
export const weekdayOf = (days: number): number => (((days + 4) % 7) + 7) % 7
