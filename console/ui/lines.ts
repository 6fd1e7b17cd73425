/** The lines of a text field that hold something, without the spaces around it. */
export const linesOf = (text: string): string[] => text.split('\n').flatMap(line => line.trim() || [])
