import { dirname } from 'node:path'
import { anonymiseFile } from '../anonymise/file.ts'
import { createOutputs } from '../anonymise/outputs.ts'
import type { Run } from '../anonymise/run.ts'
import { presetsFor, toldOf, type Work, whyNot } from './work.ts'

/** Most workflows that are listed. */
const MOST = 100

/**
 * Has the work done by a service, by the rules of a run unless the model names others; leaves nothing there. `preset` is the one
 * that the rules were made of.
 */
export function createWorkThere(run: Run, preset: string | undefined): Work {
  const { client, named } = run
  return {
    async anonymise({ text, ...choice }, signal) {
      const { texts } = await client.texts.anonymise({
        body: { texts: [text], ...(isNamed(choice) ? choice : run.choiceFor('DOCUMENT')) },
        signal,
      })
      const [made] = texts!
      return made!
    },
    presets: () => presetsFor(preset),
    async workflows(search) {
      const body = { search, filters: { supportedAssetType: 'DOCUMENT' as const } }
      const found = await client.workflows.list({ query: { limit: MOST }, body })
      return found
        .filter(({ description }) => description !== named.description)
        .map(({ id, name, description }) => ({ id, name, description }))
    },
    async file(file, choice, signal) {
      const chosen = isNamed(choice) ? { ...run, choiceFor: () => choice } : run
      const task = { file, folder: dirname(file), marked: true }
      return toldOf(await anonymiseFile(chosen, task, createOutputs(false), { signal, told: () => {} }))
    },
    whyNot,
  }
}

const isNamed = (choice: object): boolean => Object.values(choice).some(value => value !== undefined)
