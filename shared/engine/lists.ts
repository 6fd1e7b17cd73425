/** Adds all of some to a list. `list.push(...more)` fails from some 100,000 on: each would be an argument on the stack. */
export function pushAll<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one)
}

/** The least and the greatest of any number of values, for the same reason. */
export function extentOf(values: Iterable<number>): [least: number, greatest: number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    least = Math.min(least, value)
    greatest = Math.max(greatest, value)
  }
  return [least, greatest]
}
