/** What stands in place of a value that is suppressed. */
export const suppressed = '*'
