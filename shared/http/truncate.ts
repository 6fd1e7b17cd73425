/** The beginning of a text: at most so many UTF-16 units, and no half of a surrogate pair at the end. */
export const cut = (text: string, longest: number): string => whole(text.slice(0, longest))

/** The end of a text in the same way. */
export const cutToEnd = (text: string, longest: number): string => whole(text.slice(-longest))

const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
