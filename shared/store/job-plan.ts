import type { PlanEntry } from '../api/job.ts'

/** Whether a name is what a pattern says, in which `*` stands for any characters; in time that grows with their lengths. */
function fits(pattern: string, name: string): boolean {
  const [first, ...pieces] = pattern.split('*')
  if (pieces.length === 0) return name === pattern
  const last = pieces.pop()!
  if (!name.startsWith(first!) || !name.endsWith(last) || name.length < first!.length + last.length) return false
  const end = name.length - last.length
  let at = first!.length
  for (const piece of pieces) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= end
}

const normal = (text: string) => text.normalize().toLowerCase()

/** Whether a name in any case is what a pattern says, in which `*` stands for any characters. */
export const fitsName = (pattern: string, name: string): boolean => fits(normal(pattern), normal(name))

/** The entry of a job's plan that an asset falls under, which is the first that fits its type and name. */
export const entryFor = <Entry extends Pick<PlanEntry, 'match'>>(
  plan: readonly Entry[] | null | undefined,
  { type, name }: { type: PlanEntry['match']['type']; name: string },
): Entry | undefined =>
  plan?.find(({ match }) => (match.type ?? type) === type && (match.name === undefined || fitsName(match.name, name)))
