/** Gathers which styles of a document set text above or below its line: by what they say, or else by the style that they go by. */
export function stylesOffLine() {
  const found = new Set<string>()
  const settled = new Set<string>()
  const heirs = new Map<string, string[]>()
  return {
    says(style: string, isOffLine: boolean) {
      settled.add(style)
      if (isOffLine) found.add(style)
    },
    goesBy(style: string, parent: string) {
      const known = heirs.get(parent)
      if (known) known.push(style)
      else heirs.set(parent, [style])
    },
    /** All of them, once everything is said. */
    all(): Set<string> {
      // A set goes on with what is added to it on the way.
      for (const parent of found) for (const heir of heirs.get(parent) ?? []) if (!settled.has(heir)) found.add(heir)
      return found
    },
  }
}
