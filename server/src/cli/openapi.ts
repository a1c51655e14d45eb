import { openApiText } from '../route-manifest.ts'
import type { Commands } from './input.ts'

export const commands: Commands = { '': openApiText }
