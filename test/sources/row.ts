import { test } from 'vitest'
import { type Case, cases, type Row, type RowName, rows } from './cells.ts'

/**
 * The row of one kind in its suite: `cell` makes the test of a case, `complete` the ones of the cases that are not tried,
 * which are skipped with their reason. Both throw where the suite and the table differ. `less` are cases that cannot be
 * tried this time.
 */
export function row(name: RowName, less: Row['untried'] = {}) {
  const untried: Row['untried'] & {} = { ...(rows[name] as Row).untried, ...less }
  const tried = new Set<Case>()
  return {
    untried,
    cell(which: Case, run: () => Promise<void>) {
      if (untried[which] !== undefined || tried.has(which)) throw new Error(`${name}: ${which} is not to be tried`)
      tried.add(which)
      test(which, run)
    },
    complete() {
      for (const which of cases) {
        if (tried.has(which)) continue
        const reason = untried[which]
        if (!reason) throw new Error(`${name}: ${which} is tried nowhere, and nothing says why`)
        test(which, context => context.skip(reason))
      }
    },
  }
}
