import assert from 'node:assert/strict'
import { it } from 'node:test'
import { uploaded } from '../../../server/test/fixtures/documents.ts'
import { aPdf } from '../../../server/test/fixtures/multipart.ts'
import { aWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import { openPage } from './browser.ts'
import { signInAs, type World } from './world.ts'

/** Drops a file on the form, as a mouse would. */
const DROP = (name: string, bytes: Uint8Array) => `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([new Uint8Array(${JSON.stringify([...bytes])})], ${JSON.stringify(name)}, { type: 'application/pdf' }))
  const form = document.querySelector('form.upload')
  form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
})()`

export function uploadTests(world: () => World): void {
  it('a file is dropped, refused in words without leaving the page, and its verdict appears by itself', async () => {
    const { browser, service } = world()
    const { workspaceId } = await aWorkspace(service)
    const { page, context, outside, problems } = await openPage(browser, service.url)
    await signInAs(context, 'Sam Reid')
    await page.goto(`/console/matters/${workspaceId}/files`)
    // Nobody has typed anything yet, so another's file appears by itself.
    await page.locator('#live', { hasText: 'Live' }).waitFor()
    await uploaded(service, workspaceId, { fileName: 'offer.pdf' })
    await page.locator('dd', { hasText: 'offer.pdf · checked' }).waitFor()
    await page.getByLabel('What it is').selectOption('CORRESPONDENCE')
    await page.evaluate(DROP('letter.pdf', Buffer.from('no letter')))
    await page.getByRole('button', { name: 'Upload' }).press('Enter')
    await page.locator('.errors:focus', { hasText: 'The file is not a PDF' }).waitFor()
    assert.equal(await page.getByLabel('What it is').inputValue(), 'CORRESPONDENCE', 'what was chosen is kept')
    await page.evaluate(DROP('letter.pdf', aPdf()))
    await page.getByRole('button', { name: 'Upload' }).press('Enter')
    await page.locator('dd', { hasText: 'letter.pdf · checked' }).waitFor()
    // The browser itself reports the answer that was refused.
    assert.deepEqual([outside, problems.filter((one) => !one.includes('400'))], [[], []])
    await context.close()
  })
}
