import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeReady } from '../../../server/test/fixtures/approvals.ts'
import { aBalancedSchedule } from '../../../server/test/fixtures/schedules.ts'
import { aSearchedWorkspace, readWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import { openPage } from './browser.ts'
import { enter, tabTo, typeDate } from './keyboard.ts'
import { signInAs, type World } from './world.ts'

/** Both approvals and the authorisation, by three people on two sides. */
export function decisionTests(world: () => World): void {
  it('a preparer sees who can approve, an approver approves case and money, and a lender mistypes before it authorises', async () => {
    const { browser, service } = world()
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await makeReady(service, workspaceId)
    const { completionDate } = await aBalancedSchedule(service, workspaceId)
    const path = `/console/matters/${workspaceId}`
    const opened = async (name: string) => {
      const found = await openPage(browser, service.url)
      await signInAs(found.context, name)
      await found.page.goto(path)
      return found
    }

    const sam = await opened('Sam Reid')
    await enter(sam.page, 'See who can')
    const told = 'You are Sam Reid, and not an approver. Ask Alex Moss or Jo Marsh.'
    await sam.page.locator('#case .notice', { hasText: told }).waitFor()
    assert.equal(await sam.page.getByRole('button', { name: /^Approve/ }).count(), 0)

    const jo = await opened('Jo Marsh')
    await enter(jo.page, 'Check and approve the case')
    await enter(jo.page, /^Approve the case of/)
    await jo.page.locator('.good', { hasText: 'The case is approved.' }).waitFor()
    await enter(jo.page, /^Approve the money of/)
    await jo.page.locator('.good', { hasText: 'Northgate Building Society authorises the funds' }).waitFor()

    const kim = await opened('Kim Adair')
    await enter(kim.page, 'Authorise the funds')
    const type = async (amount: string) => {
      await typeDate(kim.page, 'Completion day', completionDate)
      await tabTo(kim.page, 'Advance in pounds')
      await kim.page.keyboard.press('ControlOrMeta+a')
      await kim.page.keyboard.type(amount)
      await enter(kim.page, /^Authorise the funds of/)
    }
    await type('260,000.00')
    await kim.page.locator('.errors tr', { hasText: '£260,000.00' }).filter({ hasText: 'differs' }).waitFor()
    assert.equal((await readWorkspace(service, workspaceId)).status, 'PREPARED')
    await type('206,000.00')
    await kim.page.locator('.good', { hasText: 'The funds are authorised.' }).waitFor()
    assert.equal((await readWorkspace(service, workspaceId)).status, 'FUNDS_AUTHORISED')

    for (const { context, outside, problems } of [sam, jo, kim]) {
      assert.deepEqual([outside, problems], [[], []])
      await context.close()
    }
  })
}
