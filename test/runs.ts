/** How often a property is tried: all so often by `npm run test:all`, a share of that by `npm test`. */
export const runs = (all: number): number => Math.ceil(all * Number(process.env.SHARE_OF_RUNS ?? 1))
