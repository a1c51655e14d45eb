import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Lodgeway } from '../client/src/client.ts'

// The matter of the guide, in the guide's own words. Its package is the client's source here, so that nothing must be built.

export type GuideMatter = { lender: Lodgeway; firm: Lodgeway; workspaceId: string }
type Step = (matter: GuideMatter) => Promise<void>

export type Guide = {
  newMatter(baseUrl: string): Promise<GuideMatter>
  represent: Step
  prepare: Step
  approve: Step
  fund: Step
  findDeed(matter: GuideMatter): Promise<{ path: { lodgement_case_id: string; application_id: string } }>
}

const ROOT = resolve(import.meta.dirname, '..')
const CLIENT = pathToFileURL(resolve(ROOT, 'client/src/index.ts')).href

export async function loadGuide(): Promise<Guide> {
  process.chdir(ROOT) // the guide names files from there
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === '@lodgeway/client' ? CLIENT : specifier, context),
  })
  return import(resolve(ROOT, 'docs/guide/matter.ts'))
}
