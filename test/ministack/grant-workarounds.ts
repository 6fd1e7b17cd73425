// Gives the deployed roles what MiniStack asks and AWS does not: node test/ministack/grant-workarounds.ts
import {
  GetRolePolicyCommand,
  IAMClient,
  ListRolePoliciesCommand,
  PutRolePolicyCommand,
  paginateListRoles,
} from '@aws-sdk/client-iam'
import { concessionFor, type Statement } from './known-differences.ts'

const iam = new IAMClient()
let conceded = 0
for await (const { Roles } of paginateListRoles({ client: iam }, {})) {
  for (const { RoleName } of Roles ?? []) {
    if (!RoleName?.startsWith('Anonymisation-')) continue
    const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }))
    const statements: Statement[] = []
    for (const PolicyName of PolicyNames) {
      const { PolicyDocument } = await iam.send(new GetRolePolicyCommand({ RoleName, PolicyName }))
      statements.push(...JSON.parse(decodeURIComponent(PolicyDocument!)).Statement)
    }
    const Statement = statements.flatMap(statement => concessionFor(statement) ?? [])
    if (Statement.length === 0) continue
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
    await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'concession', PolicyDocument }))
    conceded++
  }
}
console.log(`${conceded} roles got a statement that AWS would not need`)
