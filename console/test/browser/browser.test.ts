import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, testService } from '../../../server/test/fixtures/service.ts'
import { NO_BROWSER, openBrowser, openPage } from './browser.ts'

// One browser and one service for all of it: a test in a browser costs seconds.

const browser = await openBrowser()

if (!browser) it('has a browser', { skip: NO_BROWSER })
else
  describe('in a browser', () => {
    let service: TestService
    before(async () => {
      service = await testService()
    })
    after(() => browser.close())

    it('the reference opens at an operation, and loads nothing from elsewhere', async () => {
      const { page, context, outside, problems } = await openPage(browser, service.url)
      await page.goto('/docs#operation-addTitle')
      assert.ok(await page.locator('#operation-addTitle').isVisible())
      assert.deepEqual([outside, problems], [[], []])
      await context.close()
    })
  })
