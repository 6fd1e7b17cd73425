import type * as z from 'zod'
import { contextKey, Deployment } from '../infra/config.ts'
import { LocalSettings } from '../local/settings.ts'
import { Settings } from '../shared/settings.ts'

type Shape = Record<string, z.ZodType>

/** What a field is when nothing is said: the outcome of parsing nothing. */
function fallback(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined)
  const value = success ? (data as unknown) : undefined
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  return `\`${String(value)}\``
}

const rows = (shape: Shape, name: (key: string) => string): string[] =>
  Object.entries(shape).map(([key, schema]) => {
    const note = schema.description ?? (schema as { unwrap?: () => z.ZodType }).unwrap?.().description ?? ''
    return `| \`${name(key)}\` | ${fallback(schema)} | ${note} |`
  })

/** The page of everything that an operator may set, made from the schemas that read it. */
export const configurationPage = (): string => `# Configuration

Made from code by \`npm run docs\`.

## Settings of the service

Environment variables of \`npm start\`; in a deployment the context values named beside them (\`cdk.json\`, or
\`-c name=value\`).

| Variable | Context value | Default | Meaning |
|---|---|---|---|
${rows(Settings.shape as unknown as Shape, key => key)
  .map((row, n) => row.replace(/^(\| `[^`]+` )/, `$1| \`${contextKey(Object.keys(Settings.shape)[n]!)}\` `))
  .join('\n')}

## Settings of a deployment

Context values only.

| Context value | Default | Meaning |
|---|---|---|
${rows(Deployment.shape as unknown as Shape, key => key).join('\n')}

## Settings of \`npm start\`

| Variable | Default | Meaning |
|---|---|---|
${rows(LocalSettings.shape as unknown as Shape, key => key).join('\n')}
`
