const share = Number(process.env.SHARE_OF_RUNS ?? 1)

/** How often a property is tried: all so often by `npm run test:all`, a share of that by `npm test`. */
export const runs = (all: number): number => Math.ceil(all * share)

/** What of a list is tried: all by `npm run test:all`, by `npm test` every so-manieth, beginning with the `first`. */
export const portion = <T>(all: readonly T[], first = 0): T[] =>
  all.filter((_, index) => (index - first) % Math.round(1 / share) === 0)
