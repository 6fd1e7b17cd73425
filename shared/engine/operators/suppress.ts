import { always } from './operator.ts'

/** The replacement of a suppressed value. */
export const suppressed = '*'

/** The mark of suppression, as in suppressed cells of statistics. */
export const suppress = always(suppressed)
