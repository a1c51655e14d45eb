import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { UNTIL_REGISTERED } from '../fixtures/lodging.ts'
import { move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, metBothErrors, startJourney } from './journey.ts'
import {
  completeCase,
  type Matter,
  order,
  payAndSend,
  progressOf,
  readNames,
  represent,
  UNREPRESENTED,
} from './steps.ts'
import { ARRANGED, ASKED, CHARGED, completed, FOUND, ordered, USUAL_COURSE } from './traces.ts'

// What happens in practice beside the usual remortgage, using only the client, an unreliable network and the sandbox's
// clock. However often a call was repeated, it took effect once.

let journey: Journey
before(async () => {
  journey = await startJourney()
})

async function register(matter: Matter): Promise<void> {
  await payAndSend(matter)
  await move(matter.service, UNTIL_REGISTERED)
  assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
}

describe('a firm that acts for the lender alone', () => {
  it('confirms the identity of borrowers for whom nobody acts, and registers the charge', async () => {
    const matter = await order(journey, 'ST500678')
    for (const { partyId } of (await readNames(matter)).parties) await represent(matter, partyId, UNREPRESENTED)
    await completeCase(matter)
    await register(matter)
    await happenedOnce(matter, ordered(), ASKED, FOUND, CHARGED, completed(), ARRANGED, USUAL_COURSE)
  })
})

it('both kinds of network error happened on the way', () => metBothErrors(journey))
