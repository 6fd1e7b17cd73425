/** What stands in double braces in a text replacement and is filled in. */
export const places = ['label', 'rule', 'n'] as const

/** Whether a name in double braces is one of {@link places}. */
export const isPlace = (name: string): boolean => (places as readonly string[]).includes(name)
