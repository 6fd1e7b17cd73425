import type { AnonymiseResult } from './anonymise.ts'

type Report = AnonymiseResult['report']

/** What is added up over the chunks of an asset. */
type Counted = Pick<Report, 'examined' | 'neutralised' | 'formulas' | 'warnings'> & { searched?: number }

/** The report on a whole from those on its chunks: what they counted together, and what the first says of the rest. */
export function mergeReports<Some extends Counted>(reports: readonly Some[]): Some {
  const [first] = reports
  const sum = (of: (report: Some) => number | undefined) =>
    reports.reduce((total, report) => total + (of(report) ?? 0), 0)
  return {
    ...first!,
    examined: sum(({ examined }) => examined),
    neutralised: sum(({ neutralised }) => neutralised),
    ...(first!.formulas !== undefined && { formulas: sum(({ formulas }) => formulas) }),
    ...(first!.searched !== undefined && { searched: sum(({ searched }) => searched) }),
    warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
  }
}
