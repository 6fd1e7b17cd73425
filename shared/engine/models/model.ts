import type { Column, Entity } from '../detect/entity-model.ts'
import type { Reason } from '../match.ts'

/** A version of a model, as rules name it. */
export type ModelReference = { modelId: string; modelVersion: string }

/** Why a model counts something as found: its classification, a pattern, or a checksum that a pattern's match passed. */
export type Evidence = Reason & { by: 'model' | 'pattern' | 'checksum' }

/** Something a model found in a text, and why. */
export type Found = Entity & { evidence: Evidence }

/** What is asked of a model for one call. */
export type DetectOptions = {
  /** Smallest score kept, 0 to 1. */
  threshold: number
  /** Labels to keep; all of them when absent. */
  entities?: readonly string[]
  /** BCP 47 language of the texts, where it is known. */
  language?: string
  /** Also what falls short of the threshold or fails a checksum, for explanations; for patterns only. */
  misses?: boolean
  /** The column of each text that is a cell; only for models that read them. */
  columns?: readonly (Column | undefined)[]
  signal?: AbortSignal
}

/** A loaded entity-recognition model. */
export type LoadedModel = ModelReference & {
  labels: readonly string[]
  /** BCP 47 languages it was made for; empty when it does not depend on the language. */
  languages: readonly string[]
  /** Whether it judges cells by their columns. */
  readsColumns?: boolean
  /** Knows the forms of things and no language: it is asked about addresses and code too. */
  anyText?: true
  /** What it finds in each text, sorted by start. No text is too long; none is cut. */
  detect(texts: readonly string[], options: DetectOptions): Promise<Found[][]>
  /** Frees what it holds, once what was asked before is done; asked again, it loads again. */
  close?(): Promise<void>
}

/** Somewhere models come from. Gives undefined for a model it does not have; throws `model_load_failed` for a bad one. */
export type ModelSource = (reference: ModelReference) => Promise<LoadedModel | undefined>

/** Whether id and version have the shape that names have; what does not fit is never looked up anywhere. */
export function isModelReference({ modelId, modelVersion }: ModelReference): boolean {
  const name = /^[a-z0-9][a-z0-9._-]{0,63}$/
  return name.test(modelId) && name.test(modelVersion)
}
