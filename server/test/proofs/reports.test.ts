import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveReports } from './reports.ts'

// A small run; `npm run proof -- reports` makes the large one, whose figures are in docs/reliability.md.

describe('kill -9 of one of two nodes that make the same reports', () => {
  it('leaves each report whole and once, with one event, and serves none in part', async () => {
    const figures = await proveReports({ workspaces: 2_000, kills: 1 })
    const { servedInPart, withoutOneReport, withoutOneEvent } = figures
    assert.deepEqual(
      { servedInPart, withoutOneReport, withoutOneEvent },
      { servedInPart: 0, withoutOneReport: 0, withoutOneEvent: 0 },
    )
    assert.ok(figures.servedWhole > 0 && figures.notYetThere > 0)
  })
})
