import type { Register } from '../../../src/registry/register.ts'
import { type ApplicationData, TRANSFERS } from './application-data.ts'

/** What does not stop an application but may delay it. */
export function warningsOf(data: ApplicationData, registerOf: (titleNumber: string) => Register | undefined): string[] {
  const registers = Object.values(data.titles).flatMap(({ title_number: number }) => registerOf(number) ?? [])
  const types = new Set(Object.values(data.transactions).map(({ type }) => type))
  const documents = new Set(Object.values(data.documents ?? {}).map(({ type }) => type))
  const isRestricted = registers.some(({ restrictions }) => restrictions.length > 0)
  const isCharged = registers.some(({ charges }) => charges.length > 0)
  const isTransfer = TRANSFERS.some((type) => types.has(type))
  return [
    ...(isRestricted && !types.has('CANR') && !documents.has('CONSENT')
      ? ['Evidence of consent to the restriction has not been provided.']
      : []),
    ...(isCharged && isTransfer && !types.has('DIS') ? ['Evidence of discharge has not been provided.'] : []),
  ]
}
