import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OpenApiDocument } from '../../../server/src/platform/openapi/document.ts'
import { referencePage } from '../../../server/src/platform/reference-page/reference-page.ts'
import { violationsOf } from './axe.ts'
import { openPage } from './browser.ts'
import type { World } from './world.ts'

const SHOWN = ['addTitle', 'updateTitleReconciliation', 'uploadFile', 'getReportContent', 'addRepresentation']
const SCHEMAS = /^(AddTitle|UpdatePart|TitleReconciliation|ErrorBody|Fault|Individual)/
const WEBHOOKS = 2

/** The reference has one form for all operations, so that a few of them show what is wrong with all. */
export function referenceTests(world: () => World): void {
  it('the reference is accessible, opens at an operation, and loads nothing from elsewhere', async () => {
    const { browser, service } = world()
    const { page, context, outside, problems } = await openPage(browser, service.url)
    await page.goto('/docs#operation-addTitle')
    assert.ok(await page.locator('#operation-addTitle').isVisible())
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument
    await page.setContent(referencePage(shortened(document)))
    assert.deepEqual(await violationsOf(page), [])
    assert.deepEqual([outside, problems], [[], []])
    await context.close()
  })
}

function shortened(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const kept = Object.entries(item).filter(([, { operationId }]) => SHOWN.includes(operationId))
    return kept.length ? [[path, Object.fromEntries(kept)]] : []
  })
  const schemas = Object.entries(document.components.schemas).filter(([name]) => SCHEMAS.test(name))
  return {
    ...document,
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries(Object.entries(document.webhooks ?? {}).slice(0, WEBHOOKS)),
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  } as OpenApiDocument
}
