import type { Match } from '../match.ts'
import type { ModelDetection } from '../plan.ts'

/** An entity that a model found in one text: a match that belongs to no rule yet. */
export type Entity = Omit<Match, 'rule' | 'reason'> & { evidence?: Match['reason'] }

/**
 * What a model may know of the column that a text is a cell of: the name, the first values, and the names of all columns. A
 * `label` is the cell before one of a row, which says what that one is; it stands for the column then.
 */
export type Column = { name: string; values: readonly string[]; beside?: readonly string[]; label?: true }

/** A loaded entity-recognition model. Texts may be of any length; none is ever truncated. */
export type EntityModel = {
  /** Knows the forms of things and no language: it is asked about addresses and code too. */
  anyText?: true
  /** The entities of each text, at least those with the detection's labels and threshold. */
  find(texts: string[], signal: AbortSignal, columns?: readonly (Column | undefined)[]): Promise<Entity[][]>
  /** Whether it judges cells by their columns, and is to be told these. */
  readsColumns?: boolean
}

/** Loads, or takes from its cache, the model of a rule; throws `model_load_failed` with the reason. */
export type LoadModel = (detection: ModelDetection) => Promise<EntityModel>
