// Writes a record, or reads it again after an upgrade: node test/deployed/survives-upgrade.ts write|read FILE
import { readFileSync, writeFileSync } from 'node:fs'
import { logIn } from '../../shared/api/client.ts'

const [action, file] = process.argv.slice(2) as [string, string]
const { BASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD } = process.env as Record<string, string>
const client = await logIn({ baseUrl: BASE_URL!, email: ADMIN_EMAIL!, password: ADMIN_PASSWORD! })
if (action === 'write') {
  const config = { regexRuleConfig: { pattern: 'kept-[0-9]+' } }
  writeFileSync(file, JSON.stringify(await client.rules.create({ body: { name: 'Kept', type: 'REGEX', config } })))
} else {
  const before = readFileSync(file, 'utf8')
  const after = JSON.stringify(await client.rules.get({ rule_id: JSON.parse(before).id }))
  if (after !== before) throw new Error(`A rule did not survive the upgrade: ${before} became ${after}`)
  console.log('The records of before are there')
}
