import type { Register } from '../../../src/registry/register.ts'
import type { FieldProblem } from './answers.ts'
import type { ApplicationData } from './application-data.ts'
import type { Upload } from './state.ts'

export type RuleInput = {
  data: ApplicationData
  /** The register of a title as it is now. */
  registerOf(titleNumber: string): Register | undefined
  /** A document that was uploaded by the same account and is not too old. */
  uploadOf(documentId: string): Upload | undefined
}

export const problem = (type: string, detail: string, pointer?: string): FieldProblem => ({
  type,
  detail,
  ...(pointer !== undefined && { pointer }),
})
