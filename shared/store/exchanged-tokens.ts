import { updateItem } from './dynamo.ts'

/** Takes a token, known by its hash, for the only time until it has expired (seconds since 1970); false when it was taken before. */
export async function takeToken(hash: string, until: number): Promise<boolean> {
  const taken = await updateItem(
    'rates',
    { pk: `EXCHANGED#${hash}`, sk: 'EXCHANGED' },
    {
      update: 'SET #ttl = :until',
      condition: 'attribute_not_exists(pk)',
      names: { '#ttl': 'ttl' },
      values: { ':until': until },
    },
  )
  return taken !== undefined
}
