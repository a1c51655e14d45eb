import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { routesOf } from './routes.ts'
import * as words from './words.ts'

type Property = { enum?: string[]; const?: string; items?: Property }
const { components } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, { properties: Record<string, Property> }> }
}

// The compiler compares with the client, which may be older than the interface.
const TABLES: [table: object, schema: string, property: string][] = [
  [words.STATUS_WORDS, 'Workspace', 'status'],
  [words.CASE_WORDS, 'LodgementCaseRecord', 'lodgementCaseStatus'],
  [words.SCHEDULE_WORDS, 'FinancialSettlementSchedule', 'status'],
  [words.CATEGORY_SIDES, 'LineItem', 'category'],
  [words.APPLICATION_WORDS, 'ApplicationRecord', 'applicationType'],
  [words.APPLICATION_STATUS_WORDS, 'ApplicationRecord', 'status'],
  [words.SEARCH_WORDS, 'WorkspaceTitle', 'lastTitleSearchStatus'],
  [words.SEARCH_FAILURE_WORDS, 'LodgementCaseRecord', 'titleSearchFailure'],
  [words.NAMES_WORDS, 'Workspace', 'borrowersValidationStatus'],
  [words.PARTY_WORDS, 'WorkspaceParty', 'role'],
  [words.REPRESENTED_WORDS, 'Representation', 'representedBy'],
  [words.REPRESENTATION_WORDS, 'Representation', 'status'],
  [words.REPRESENTATION_FAILURE_WORDS, 'Representation', 'failureReason'],
  [words.IDENTITY_WORDS, 'Representation', 'verificationOfIdentity'],
  [words.CANCELLATION_WORDS, 'WorkspaceCancellation', 'reason'],
  [words.REJECTION_WORDS, 'CaseRejection', 'reason'],
  [words.WHO_WORDS, 'Turn', 'who'],
  [words.TASK_WORDS, 'Turn', 'task'],
  [words.REGISTRY_DOCUMENT_WORDS, 'WorkspaceFile', 'registryDocumentKind'],
  [words.FILE_WORDS, 'WorkspaceFile', 'fileUploadStatus'],
  [words.FILE_FAILURE_WORDS, 'WorkspaceFile', 'failureReason'],
  [words.DOCUMENT_WORDS, 'WorkspaceFile', 'documentType'],
  [words.CATEGORY_WORDS, 'WorkspaceFile', 'documentCategory'],
  [words.CERTIFICATION_WORDS, 'WorkspaceFile', 'certificationType'],
  [words.DEED_WORDS, 'ApplicationAttributes', 'mortgageDeedReferenceType'],
  [words.GUARANTEE_WORDS, 'ApplicationAttributes', 'titleGuarantee'],
  [words.CONSIDERATION_WORDS, 'ApplicationAttributes', 'considerationType'],
  [words.TRUST_WORDS, 'ApplicationAttributes', 'trustDeclaration'],
  [words.BAND_WORDS, 'ApplicationAttributes', 'transactionValueBand'],
  [words.REQUISITION_WORDS, 'RequisitionRecord', 'status'],
  [words.RUN_WORDS, 'ScenarioRun', 'status'],
  [words.RULE_WORDS, 'ReadinessRecord', 'ruleId'],
  [words.DELIVERY_WORDS, 'Notification', 'status'],
  [Object.fromEntries(words.EVENT_TYPES.map((type) => [type, type])), 'Event', 'type'],
]

describe('the words of the console', () => {
  for (const [table, schema, property] of TABLES) {
    it(`has one for each ${property} of ${schema}, and no other`, () => {
      const values = components.schemas[schema]?.properties[property]?.enum ?? assert.fail('no such list')
      assert.deepEqual(Object.keys(table).sort(), values.toSorted())
    })
  }

  it('leads from each task of a person, and from each rule, to a page that there is', () => {
    const live = { page: { show: async () => new Response() }, stop() {} }
    const paths = routesOf(live).map(({ path }) => path)
    const { COMPLETION: _, WAIT: __, ...tasks } = words.TASK_WORDS
    for (const [name, { page = '' }] of Object.entries({ ...tasks, ...words.RULE_WORDS })) {
      assert.ok(page.startsWith('#') || paths.includes(`/console/matters/:id/${page.split('#')[0]}`), name)
    }
  })

  it('says a sentence of the interface without its codes', () => {
    const sentences = {
      'The main document is missing. Attach it: MORTGAGE_DEED.':
        'The main document is missing. Attach it: mortgage deed.',
      'Set transactionValue, to 0 or more.': 'Set the value, to 0 or more.',
      'Change the transactionValue of the deed.': 'Change the value of the deed.',
      'The schedule has no SOURCE.': 'The schedule has no source.',
      '12 COTHELSTONE CLOSE': '12 COTHELSTONE CLOSE',
    }
    for (const [sentence, plain] of Object.entries(sentences)) assert.equal(words.plainly(sentence), plain)
  })
})
