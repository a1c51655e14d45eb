import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { readRoutes } from '../src/route-manifest.ts'

// Each change of the interface names the tests that show it, by file and by words of the test.

const ROOT = resolve(import.meta.dirname, '../..')
const CHANGES = 39
const ROW = /^\| (\d+) \|.*\| (.*) \|$/gm
const SHOWN = /^`([^`]+\.ts)`: (.+)$/

const page = await readFile(resolve(ROOT, 'docs/amendments.md'), 'utf8')
const rows = [...page.matchAll(ROW)].map(([, number, shown = '']) => ({ number: Number(number), shown }))

describe('docs/amendments.md', () => {
  it('has a row for each change, in order', () => {
    assert.deepEqual(
      rows.map(({ number }) => number),
      Array.from({ length: CHANGES }, (_, index) => index + 1),
    )
  })

  for (const { number, shown } of rows) {
    it(`names tests that show change ${number}`, async () => {
      for (const one of shown.split('<br>')) {
        const [, file = '', name = ''] = SHOWN.exec(one) ?? assert.fail(`not a file and a test: ${one}`)
        assert.ok((await readFile(resolve(ROOT, file), 'utf8')).includes(name), `${file} has no test "${name}"`)
      }
    })
  }
})

describe('the operations that are new', () => {
  const APPROVE = ['x-api:approve:lodgement_applications', 'x-api:approve:financial_settlement_schedules']
  const LAW_FIRM = ['LAW_FIRM']
  const EXPECTED: [operationId: string, scope: string | readonly string[], kinds?: readonly string[]][] = [
    ['updateWorkspace', 'edit:workspaces'],
    ['listRequisitions', 'x-api:view:lodgement_summary'],
    ['removeTitle', 'x-api:add:workspace_titles', LAW_FIRM],
    ['removePartyRole', 'edit:workspace_parties', LAW_FIRM],
    ['listConfirmations', 'view:workspaces'],
    ['confirmReadiness', APPROVE, LAW_FIRM],
    ['deleteConfirmation', APPROVE, LAW_FIRM],
    ['listSubscribers', 'view:workspaces'],
    ['listBusinessDays', 'view:workspaces'],
    ['confirmLineItemPayment', 'edit:financial_settlement_schedules', LAW_FIRM],
    ['deleteLineItemPayment', 'edit:financial_settlement_schedules', LAW_FIRM],
    ['reportPaymentFailure', 'edit:financial_settlement_schedules', LAW_FIRM],
    ['getPaymentFile', 'view:financial_settlement_schedules', LAW_FIRM],
  ]

  it('have the scope and the kinds of subscriber that they should', async () => {
    const routes = await readRoutes()
    for (const [operationId, scope, kinds] of EXPECTED) {
      const { config } = routes.find(({ schema }) => schema?.operationId === operationId) ?? assert.fail(operationId)
      assert.deepEqual([config?.scope, config?.kinds], [scope, kinds], operationId)
    }
  })
})
