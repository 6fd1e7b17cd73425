import * as z from 'zod'
import { listQuery } from './common.ts'
import type { Resource } from './endpoint.ts'

/** What a rule of type AIMODEL can name, or what is in the way of that. */
export const Model = z
  .object({
    modelId: z.string(),
    modelVersion: z.string(),
    source: z
      .enum(['shipped', 'bucket', 'aws-comprehend'])
      .describe('Part of the service, put into the models bucket, or run by AWS Comprehend'),
    description: z.string(),
    labels: z.array(z.string()).describe('The labels that `modelParameters.entities` can select'),
    languages: z
      .array(z.string())
      .describe('BCP 47; empty if it does not depend on the language, or if that is unknown'),
    licence: z.string().nullable(),
    usable: z.boolean(),
    reason: z.string().nullable().describe('Why it can’t be used'),
  })
  .meta({ id: 'Model' })
export type Model = z.infer<typeof Model>

export const models = {
  list: {
    route: 'GET /models',
    access: 'rules:read',
    extension: true,
    summary: 'List models',
    description:
      'Every model that a rule of type `AIMODEL` can name: those that ship with the service, those in the models bucket ' +
      '(`{modelId}/{modelVersion}/`, a Hugging Face export) and, where it can be reached, those of AWS Comprehend. A ' +
      'folder of the bucket that lacks something is listed as not usable, with the reason.',
    query: listQuery(['modelId', 'source'], ['modelId', 'modelVersion', 'source']),
    reply: z.array(Model),
  },
} as const satisfies Resource
