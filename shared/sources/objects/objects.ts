import { bounded } from '../bounded.ts'
import type { Connector, Entry, SourceContext } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { mediaType, promised } from '../media-types.ts'
import { below, byName, lastPart, pathOf, relativePath } from '../paths.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

/** A store opened for one call: where the source begins in it, and how it is reached. */
export type OpenStore = {
  store: ObjectStore
  /** Folder of the store that is the root of the source, without slashes at its ends. */
  root: string
  protection: string
  server?: string
  /** Says what went wrong in the store's own words. */
  translate?: (error: unknown) => Error
}

/** The connector of everything that keeps files behind keys. */
export function objectConnector<Config>(
  open: (context: SourceContext, config: Config) => OpenStore | Promise<OpenStore>,
): Connector<Config> {
  const withStore = async <T>(context: SourceContext, config: Config, use: (store: OpenStore) => Promise<T>) => {
    const opened = await open(context, config)
    try {
      return await use(opened)
    } catch (error) {
      throw opened.translate?.(error) ?? error
    }
  }

  return {
    check: (context, config) =>
      withStore(context, config, async ({ store, root, protection, server }) => {
        const { objects, folders } = await store.list(root && `${root}/`, { limit: 100 }, context.signal)
        return {
          server,
          protection,
          readable: `${objects.length} files and ${folders.length} folders on the first page`,
          warnings: [],
        }
      }),

    discover: (context, config, { path = '', cursor, limit }) =>
      withStore(context, config, async ({ store, root }) => {
        const folder = below(root, relativePath(path))
        const listed = await store.list(folder && `${folder}/`, { cursor, limit }, context.signal)
        const entries = [
          ...listed.folders.map(
            (key): Entry => ({ name: relative(root, key.slice(0, -1)), type: 'folder', supported: true }),
          ),
          ...listed.objects.map(object => entryOf(root, object)),
        ]
        return { entries: entries.sort(byName), ...(listed.cursor === undefined ? {} : { cursor: listed.cursor }) }
      }),

    locate: (context, config, names) =>
      withStore(context, config, async ({ store, root }) => {
        const found: (Entry | undefined)[] = []
        for (const name of names) {
          const path = pathOf(name)
          const object = path && (await store.head(below(root, path), context.signal))
          found.push(object ? entryOf(root, object) : undefined)
        }
        return found
      }),

    read: (context, config, name, { start = 0 }) =>
      withStore(context, config, async ({ store, root, translate }) => {
        const key = below(root, relativePath(name))
        const object = await store.head(key, context.signal)
        if (!object) throw new SourceError('source_not_found')
        if (object.size > context.limits.bytes) throw new SourceError('source_limit_exceeded')
        return {
          entry: entryOf(root, object),
          filename: lastPart(key),
          contentType: mediaType(key),
          size: object.size - start,
          body: bounded(await store.read(key, start, context.signal), context, undefined, translate),
        }
      }),

    tidy: (context, config, { name, delivery }) =>
      withStore(context, config, async ({ store, root }) => {
        if (delivery) await store.tidy?.(below(root, relativePath(name)), delivery)
      }),

    write: (context, config, { name, mode, size, delivery }, body) =>
      withStore(context, config, async ({ store, root }) => {
        if (mode === 'update') throw new SourceError('source_unsupported', 'Files are created or replaced')
        const key = below(root, relativePath(name))
        await store.write(key, body, { create: mode === 'create', size, draft: delivery }, context.signal)
        const written = await store.head(key, context.signal)
        if (!written) throw new SourceError('source_failed')
        return { name: relative(root, key), bytes: written.size }
      }),
  }
}

const relative = (root: string, key: string) => (root ? key.slice(root.length + 1) : key)

const entryOf = (root: string, { key, size, modifiedAt, etag }: StoredObject): Entry => ({
  name: relative(root, key),
  type: 'file',
  ...promised(key),
  size,
  ...(modifiedAt ? { modifiedAt } : {}),
  ...(etag ? { etag } : {}),
})
