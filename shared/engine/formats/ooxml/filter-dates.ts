/** The day that an item of a filter names in its attributes; nothing where it names a month or a year. */
export function filterDate(attributes: readonly { canonical: string; value: string }[]): string | undefined {
  const parts = ['year', 'month', 'day'].map(name => attributes.find(({ canonical }) => canonical === name)?.value)
  if (!parts.every(part => part !== undefined && /^\d{1,4}$/.test(part))) return undefined
  const [year, month, day] = parts as string[]
  return [year!.padStart(4, '0'), month!.padStart(2, '0'), day!.padStart(2, '0')].join('-')
}
