import type { Rule } from '../api/rules.ts'
import type { Kind } from './records.ts'

export const RULE: Kind = { table: 'rules', name: 'RULE' }

export type RuleRecord = Rule & { ownerId: string }
