/** Values that are remembered: identifiers of paragraphs, for one, are all different. */
const most = 10_000

/** What is told of the attribute of an element with a value. */
type Tell<T> = (element: string, attribute: string, value: string) => T

/** Tells the same, and remembers it: in a part the same properties stand again and again. */
export function remembered<T extends NonNullable<unknown>>(tell: Tell<T>): Tell<T> {
  const elements = new Map<string, Map<string, Map<string, T>>>()
  let kept = 0
  const valuesOf = (element: string, attribute: string) => {
    const attributes = elements.get(element) ?? new Map<string, Map<string, T>>()
    const values = attributes.get(attribute) ?? new Map<string, T>()
    elements.set(element, attributes.set(attribute, values))
    return values
  }
  return (element, attribute, value) => {
    const known = elements.get(element)?.get(attribute)?.get(value)
    if (known !== undefined) return known
    if (kept++ === most) {
      elements.clear()
      kept = 1
    }
    const told = tell(element, attribute, value)
    valuesOf(element, attribute).set(value, told)
    return told
  }
}
