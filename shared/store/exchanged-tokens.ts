import type { Transact } from './dynamo.ts'

/** Takes a token, known by its hash, for the only time until it has expired (seconds since 1970); false when it was taken before. */
export function takeToken(hash: string, until: number, write: Transact): Promise<boolean> {
  const change = {
    update: 'SET #ttl = :until',
    condition: 'attribute_not_exists(pk)',
    names: { '#ttl': 'ttl' },
    values: { ':until': until },
  }
  return write([{ table: 'rates', update: { pk: `EXCHANGED#${hash}`, sk: 'EXCHANGED' }, change }])
}
