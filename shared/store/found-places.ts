import type { AssetRecord } from './assets.ts'
import { type ObjectKey, putObject, readWhole } from './objects.ts'

/** A file that tells where something was found: its bytes, and the rows of the table that come before it. */
export type PlacesPart = { bytes: number; rowsBefore: number }

type Owner = Pick<AssetRecord, 'jobId' | 'id'>

/** Where one file of places of an asset is kept, counted from 0. */
export const placesObject = ({ jobId, id }: Owner, part: number): ObjectKey => ({
  bucket: 'results',
  key: `${jobId}/places-${id}-${part}`,
})

const indexObject = ({ jobId, id }: Owner): ObjectKey => ({ bucket: 'results', key: `${jobId}/places-${id}.json` })

/** Keeps what files of places an asset has. */
export const savePlacesIndex = (asset: Owner, parts: PlacesPart[]): Promise<void> =>
  putObject(indexObject(asset), Buffer.from(JSON.stringify(parts)), 'application/json')

/** What files of places an asset has. */
export const loadPlacesIndex = async (asset: Owner): Promise<PlacesPart[]> =>
  JSON.parse((await readWhole(indexObject(asset))).toString()) as PlacesPart[]
