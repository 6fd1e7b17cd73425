import { certificates } from '../../shared/api/certificates.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { certificateKeys } from '../../shared/jobs/certificate/sign.ts'

export const handler = handle(certificates.keys)(async () => ({ keys: await certificateKeys() }))
