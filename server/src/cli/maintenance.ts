import { actorName } from '../audit/record.ts'
import { saveMaintenance } from '../platform/operations/state.ts'
import type { Commands } from './input.ts'
import { onDatabase, operatorAt } from './operate.ts'

const turn = (wanted: 'on' | 'off') =>
  onDatabase(async ({ db }) => {
    await saveMaintenance(db, wanted === 'on', actorName(operatorAt(new Date())))
    return `Maintenance is ${wanted}; all nodes follow within 2 seconds.`
  })

export const commands: Commands = { on: turn('on'), off: turn('off') }
