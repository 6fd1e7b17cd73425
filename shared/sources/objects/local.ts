import type { SourceConfig } from '../../api/source-kinds.ts'
import type { Connector } from '../connector.ts'
import { SourceError } from '../errors.ts'
import { relativePath } from '../paths.ts'
import { objectConnector } from './objects.ts'

/** LOCAL_ASSET: the files that the operator keeps for the owner, as the caller hands them over. */
export const local: Connector<SourceConfig<'LOCAL_ASSET'>> = objectConnector(({ localFiles }, { prefix = '' }) => {
  if (!localFiles) throw new SourceError('source_unsupported', 'This deployment keeps no local files')
  return { store: localFiles, root: relativePath(prefix), protection: 'inside the service, no connection' }
})
