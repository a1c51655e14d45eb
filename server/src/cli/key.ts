import { generateSigningKey } from '../auth/keys.ts'
import type { Commands } from './input.ts'

export const commands: Commands = { generate: async () => JSON.stringify(await generateSigningKey()) }
