import type { WriteReport } from './format.ts'

/** What the report calls parts that are left out because nothing is known of their kind, whose own name may tell something. */
export const unknownParts = 'parts of an unknown kind'

/** An empty report. */
export const startReport = (): WriteReport => ({ dropped: [], rasterised: [], warnings: [] })

/** The report with what was dropped, each kind once. */
export function finishReport(report: WriteReport, dropped: ReadonlyMap<string, number>): WriteReport {
  const all = new Map(dropped)
  for (const { what, count } of report.dropped) all.set(what, (all.get(what) ?? 0) + count)
  return {
    ...report,
    dropped: [...all].map(([what, count]) => ({ what, count })),
    warnings: [...new Set(report.warnings)],
  }
}

/** Adds what a nested file reports to the report of the outer one; its pages are not those of the outer file. */
export function mergeReport(into: WriteReport, inner: WriteReport): void {
  into.dropped.push(...inner.dropped)
  into.warnings.push(...inner.warnings)
  if (inner.painted !== undefined) into.painted = [...(into.painted ?? []), ...inner.painted]
  if (inner.ocr === undefined) return
  const before = into.ocr ?? { pages: 0, confidence: 0 }
  const pages = before.pages + inner.ocr.pages
  const sum = before.confidence * before.pages + inner.ocr.confidence * inner.ocr.pages
  into.ocr = { pages, confidence: pages === 0 ? 0 : sum / pages }
}
