import type { Rule } from '../api/rules.ts'
import { type Kind, kinds } from './kinds.ts'

export const RULE: Kind = kinds.rule_id

export type RuleRecord = Rule & { ownerId: string }
