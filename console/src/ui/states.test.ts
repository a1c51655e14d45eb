import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WORKSPACE_TRANSITIONS } from '../../../server/src/workspaces/status.ts'
import { EDGES, stateDiagram, stateStrip, stepsOf } from './states.ts'

const AT = '2026-06-01T09:00:00.000Z'
const happened = (...types: string[]) => types.map((type) => ({ type, at: AT, by: 'jo@harbour.example' }) as never)
const wordsOf = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the states of a matter', () => {
  it('draws every way from one to another, and no other', () => {
    const known = Object.entries(WORKSPACE_TRANSITIONS).flatMap(([from, ways]) =>
      [...new Set(Object.values(ways))].map((to) => `${from} ${to}`),
    )
    assert.deepEqual(EDGES.map(({ from, to }) => `${from} ${to}`).sort(), known.sort())
  })

  it('follows a matter that went back and forth', () => {
    const steps = stepsOf(
      happened(
        'WORKSPACE_CREATED',
        'WORKSPACE_PREPARED',
        'WORKSPACE_REVERTED_TO_CREATED',
        'WORKSPACE_PREPARED',
        'WORKSPACE_FUNDS_AUTHORISED',
        'WORKSPACE_FUNDS_EXCHANGED',
        'LODGEMENT_SUBMITTED',
        'LODGEMENT_REJECTED',
        'WORKSPACE_LODGED',
        'WORKSPACE_REQUISITIONED',
        'WORKSPACE_LODGED',
      ),
    )
    assert.deepEqual(
      steps.map(({ to }) => to),
      [
        'PREPARED',
        'CREATED',
        'PREPARED',
        'FUNDS_AUTHORISED',
        'FUNDS_EXCHANGED',
        'FUNDS_EXCHANGED',
        'LODGED',
        'REQUISITIONED',
        'LODGED',
      ],
    )
    const strip = wordsOf(stateStrip('LODGED', AT, steps).text)
    assert.match(strip, /Completed 1 Jun At the registry 1 Jun Registered $/)
    const diagram = wordsOf(stateDiagram('LODGED', steps).text)
    assert.match(diagram, /Possible next Requisition to answer: requisition, by the registry/)
  })

  it('ends the strip where a matter was cancelled', () => {
    const steps = stepsOf(happened('WORKSPACE_PREPARED', 'WORKSPACE_CANCELLED'))
    assert.match(
      wordsOf(stateStrip('CANCELLED', AT, steps).text),
      /Being prepared 1 Jun Approved 1 Jun Cancelled 1 Jun $/,
    )
    assert.match(wordsOf(stateDiagram('CANCELLED', steps).text), /Nothing: the matter has ended/)
  })
})
