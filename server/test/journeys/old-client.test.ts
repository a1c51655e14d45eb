import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { createClient } from '../../../client/src/index.ts'
import { atEnd } from '../fixtures/at-end.ts'
import { VERSION_1 } from '../fixtures/history.ts'
import { UNTIL_REGISTERED } from '../fixtures/lodging.ts'
import { move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { startJourney } from './journey.ts'
import { payAndSend } from './money.ts'
import { completeCase, order, progressOf } from './steps.ts'
import { ARRANGED, ASKED, CHARGED, completed, FOUND, ordered, USUAL_COURSE } from './traces.ts'

// The client as it was released in version 1.0.0, against this service. Its source is in the history of this repository,
// which a shallow clone does not have; `npm run proof -- old-client` fails there instead of skipping.

const ROOT = resolve(import.meta.dirname, '../../..')

type Client = { createClient: typeof createClient }

/** Undefined where the history, or git itself, is missing. */
async function oldClient(): Promise<Client | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'lodgeway-client-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  try {
    const archive = join(folder, 'client.tar')
    execFileSync('git', ['archive', '-o', archive, VERSION_1, 'client/src'], { cwd: ROOT, stdio: 'pipe' })
    execFileSync('tar', ['-xf', archive, '-C', folder])
  } catch (error) {
    if (process.env['HISTORY'] === 'required') throw error
    return undefined
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return import(pathToFileURL(join(folder, 'client/src/index.ts')).href) as Promise<Client>
}

it('a client of version 1.0.0 takes a remortgage from the order to the registered title', async (context) => {
  const client = await oldClient()
  if (!client) return context.skip('this clone has no history back to version 1.0.0')
  const journey = await startJourney({ create: client.createClient })
  const matter = await order(journey, 'ST500678')
  await completeCase(matter)
  await payAndSend(matter)
  await move(matter.service, UNTIL_REGISTERED)
  assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
  await happenedOnce(matter, ordered(), ASKED, FOUND, CHARGED, completed(), ARRANGED, USUAL_COURSE)
})
