import { endpoints } from '../shared/api/index.ts'
import { problemsOf } from '../shared/api/openapi.ts'
import { type ProblemType, problems } from '../shared/api/problems.ts'

/** Every type of error with its status, its meaning and who answers it, as Markdown. */
export function errorsPage(): string {
  const answering = new Map<ProblemType, string[]>()
  for (const { endpoint } of endpoints) {
    for (const type of problemsOf(endpoint)) answering.set(type, [...(answering.get(type) ?? []), endpoint.route])
  }
  const row = ([type, [status, meaning]]: [string, readonly [number, string, ...unknown[]]]) =>
    `| \`${type}\` | ${status} | ${meaning} | ${from(answering.get(type as ProblemType) ?? [])} |`
  return `# Errors

Made from the code by \`npm run docs\`. Every error has the body \`{"detail": [{"loc": [...], "msg": "...", "type": "..."}]}\`:
\`type\` is for programs and stays, \`msg\` is for people and may change, \`loc\` leads to the faulty field (\`body\`, \`query\`,
\`path\` or \`header\`, then the names down to it). What is wrong with path, query and body comes at
once, a hundred problems at most. Only when nothing is wrong with their form are patterns tried and records looked up, so
that what these show, such as \`rule_not_found\`, comes in a later answer. Every answer carries \`X-Request-Id\`, which names
the request in the logs.

| type | status | meaning | answered by |
|---|---|---|---|
${Object.entries(problems).map(row).join('\n')}
`
}

/** Who answers a type, without listing almost everybody. */
function from(routes: string[]): string {
  if (routes.length === 0) return 'the gateway'
  if (routes.length > endpoints.length / 2) return 'most endpoints'
  if (routes.length > 8) return `${routes.length} endpoints`
  return routes.map(route => `\`${route}\``).join(', ')
}
