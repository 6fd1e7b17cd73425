/** Shares from which a group counts as noisy, and how many messages it must have out for the first of them. */
const NOISY_SHARE = 0.1
const NOISY_IN_FLIGHT = 30
/** What consumers spent on a group counts half after so long, milliseconds. AWS says "recent" and no figure. */
const HALF_LIFE = 30_000

type Load = { spent: number; at: number }

/** Who takes more than their share of the consumers of standard queues. */
export type Fairness = {
  /** A consumer took a message. */
  taken(row: { seq: number; queue: number; grp: string | null }): void
  /** A message is with no consumer any more: it was deleted, given back or taken again. */
  over(seq: number): void
  /** Groups whose messages come after those of the others. */
  noisy(queue: number): string[]
}

/**
 * Watches what consumers spend on each message group: one that has more than a tenth of their recent time, or of the
 * messages that are out when those are thirty or more, is noisy, and comes after the quiet ones.
 * Source: AWS, "How Amazon SQS fair queues work".
 */
export function watchFairness(now: () => number): Fairness {
  const out = new Map<number, { queue: number; grp: string; since: number }>()
  const loads = new Map<number, Map<string, Load>>()
  const current = ({ spent, at }: Load, time: number) => spent * 0.5 ** ((time - at) / HALF_LIFE)

  return {
    taken({ seq, queue, grp }) {
      if (grp !== null) out.set(seq, { queue, grp, since: now() })
    },
    over(seq) {
      const message = out.get(seq)
      if (!message) return
      out.delete(seq)
      const { queue, grp, since } = message
      const [time, groups] = [now(), loads.get(queue) ?? new Map<string, Load>()]
      const before = groups.get(grp)
      groups.set(grp, { spent: (before ? current(before, time) : 0) + time - since, at: time })
      loads.set(queue, groups)
    },
    noisy(queue) {
      const time = now()
      const spent = new Map<string, number>()
      const inFlight = new Map<string, number>()
      const add = (to: Map<string, number>, grp: string, amount: number) => to.set(grp, (to.get(grp) ?? 0) + amount)
      for (const [grp, load] of loads.get(queue) ?? []) {
        const left = current(load, time)
        // What has faded is forgotten, so that groups don't pile up.
        if (left < 1) loads.get(queue)!.delete(grp)
        else add(spent, grp, left)
      }
      for (const message of out.values()) {
        if (message.queue !== queue) continue
        add(spent, message.grp, time - message.since)
        add(inFlight, message.grp, 1)
      }
      const sum = (of: Map<string, number>) => of.values().reduce((total, amount) => total + amount, 0)
      const [allSpent, allInFlight] = [sum(spent), sum(inFlight)]
      return [...spent.keys()].filter(grp => {
        const mine = inFlight.get(grp) ?? 0
        return spent.get(grp)! > NOISY_SHARE * allSpent || (mine >= NOISY_IN_FLIGHT && mine > NOISY_SHARE * allInFlight)
      })
    },
  }
}
