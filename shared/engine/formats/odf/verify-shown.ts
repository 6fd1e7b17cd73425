/** Attributes of a cell that hold a value of it. */
export const valueName = /^office:(?:value|date-value|time-value|boolean-value|string-value|currency)$/

/** What a cell tells: its values, but those that are its text, and the lines of its paragraphs, but those that show nothing. */
export function shownBy(values: readonly string[], paragraphs: string[]): string[] {
  const isOneLine = paragraphs.length === 1 && !paragraphs[0]!.includes('\n')
  if (values.length === 0 && isOneLine && /\S/.test(paragraphs[0]!)) return paragraphs
  const lines = (texts: readonly string[]) =>
    texts
      .join('\n')
      .split('\n')
      .filter(line => /\S/.test(line))
  const shown = lines(paragraphs)
  return [...lines(values.filter(value => value !== shown.join('\n'))), ...shown]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What character data reads like that holds no numbered characters. */
export const plain = (raw: string) =>
  raw.includes('&') ? raw.replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole) : raw
