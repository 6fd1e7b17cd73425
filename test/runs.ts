const share = Number(process.env.SHARE_OF_RUNS ?? 1)

/** How often a property is tried: all so often by `npm run test:all`, a share of that by `npm test`. */
export const runs = (all: number): number => Math.ceil(all * share)

/** What of a list is tried: all by `npm run test:all`, by `npm test` every so-manieth, beginning with the `first`. */
export const portion = <T>(all: readonly T[], first = 0): T[] =>
  all.filter((_, index) => (index - first) % Math.round(1 / share) === 0)

/** Whether everything is tried that other runs try samples of: by `npm run test:faults`, a long run. */
export const exhaustive = process.env.TRIALS !== undefined

/** The first of each kind of a list; all of it in a long run. */
export const firstOfEach = <T>(all: readonly T[], kindOf: (one: T) => string): T[] =>
  exhaustive ? [...all] : all.filter((one, at) => all.findIndex(other => kindOf(other) === kindOf(one)) === at)
