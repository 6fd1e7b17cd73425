import { always } from './operator.ts'

/** Nothing. */
export const remove = always('')
