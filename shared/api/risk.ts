import * as z from 'zod'

const AttackerRisk = z.object({
  highest: z.number(),
  lowest: z.number(),
  average: z.number(),
  recordsAtHighest: z.number().describe('Share of the records with the highest risk'),
  recordsAtRisk: z.number().describe('Share of the records above the threshold'),
})

const Figures = z.object({
  records: z.int(),
  suppressed: z.int().describe('Records whose quasi-identifiers are all suppressed; they are not counted in the risks'),
  classes: z.int().describe('Groups of records that are alike in all quasi-identifiers'),
  k: z.int().describe('Records of the smallest class'),
  averageClassSize: z.number(),
  histogram: z
    .array(
      z.object({
        from: z.int(),
        to: z.int().nullable().describe('Null: of any size from there on'),
        classes: z.int(),
        records: z.int(),
      }),
    )
    .optional()
    .describe('Classes of each size and the records in them; absent from results of earlier versions'),
  uniqueRecords: z.int(),
  uniqueness: z.number().describe('Share of the records that are alone in their class'),
  prosecutor: AttackerRisk.describe('The attacker knows that the person is in the table'),
  journalist: AttackerRisk.describe(
    'The attacker does not know; with no table of the population, as for the prosecutor',
  ),
  marketer: z.object({ average: z.number() }).describe('The attacker wants as many people as possible'),
  sensitive: z.array(
    z.object({
      column: z.string(),
      distinctL: z.number().describe('Fewest distinct values in a class'),
      entropyL: z.number().describe('Smallest e^entropy of the values of a class'),
      tEqual: z.number().describe('Largest distance of a class from the whole table, all values equally far apart'),
      tOrdered: z.number().nullable().describe('The same with values in the order of numbers; null for other values'),
    }),
  ),
  utility: z.object({
    discernibility: z.number(),
    averageClassSize: z.number(),
    loss: z.number().nullable().describe('Share of detail lost by hierarchies, 0 to 1'),
    entropy: z.number().nullable().describe('Information lost by hierarchies, bits'),
  }),
})

/** How identifiable a table was and is, by the definitions of ARX: numbers and names of columns, never a value. */
export const AssetRisk = z
  .object({
    quasiIdentifiers: z.array(z.string()),
    sensitive: z.array(z.string()),
    threshold: z.number(),
    before: Figures,
    after: Figures,
  })
  .meta({ id: 'AssetRisk' })
export type AssetRisk = z.infer<typeof AssetRisk>
