import type { AnonymiseCall, Plan, Secrets } from 'anonymisation-engine'
import type { LoadModel } from 'anonymisation-engine/models'

/** What all files of a run are anonymised with. */
export type Engine = {
  plan: Plan
  models: LoadModel
  secrets: Secrets
  numbering: AnonymiseCall['numbering']
  /** How files are read, as far as it is not to be told by their bytes. */
  options?: { encoding?: string }
  /** Renders the replacements in place of the rules' own. */
  replacer?: AnonymiseCall['replacer']
  list: boolean
}

/** How a run is told what happens, and stopped. */
export type Watch = { signal: AbortSignal; told(bytes: number): void }
