import { PathId } from '../events/ids.ts'
import { Type } from '../platform/http/schema.ts'

export const EvidencePath = Type.Object({ workspace_id: PathId.workspace_id })

export const EvidencePack = Type.String({
  format: 'binary',
  description: 'A ZIP. Its `README.txt` says what is in it.',
})
