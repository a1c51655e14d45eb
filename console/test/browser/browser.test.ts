import { after, before, describe, it } from 'node:test'
import { NO_BROWSER, openBrowser } from './browser.ts'
import { changeTests } from './changes.ts'
import { decisionTests } from './decisions.ts'
import { deliveryTests } from './deliveries.ts'
import { invitationTests } from './invitation.ts'
import { journeyTests } from './journey.ts'
import { mediaTests } from './media.ts'
import { originTests } from './origins.ts'
import { pageTests } from './pages.ts'
import { referenceTests } from './reference.ts'
import { shortcutTests } from './shortcuts.ts'
import { uploadTests } from './uploads.ts'
import { wholeTests } from './whole.ts'
import { startWorld, type World } from './world.ts'

// One browser and one service for all of it: a test in a browser costs seconds.

const browser = await openBrowser()

if (!browser) it('has a browser', { skip: NO_BROWSER })
else
  describe('in a browser', () => {
    let started: World
    before(async () => {
      started = await startWorld(browser)
    })
    after(() => browser.close())
    const world = () => started

    journeyTests(world)
    decisionTests(world)
    changeTests(world)
    uploadTests(world)
    invitationTests(world)
    deliveryTests(world)
    originTests(world)
    pageTests(world)
    shortcutTests(world)
    mediaTests(world)
    referenceTests(world)
    wholeTests(world)
  })
