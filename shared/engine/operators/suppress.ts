import { always } from './operator.ts'

/** What stands in place of a value that is suppressed. */
export const suppressed = '*'

/** The mark of suppression, as in suppressed cells of statistics. */
export const suppress = always(suppressed)
