import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../../server/test/fixtures/eventually.ts'
import { type TestService, testService } from '../../server/test/fixtures/service.ts'
import { anOrder } from '../../server/test/journeys/steps.ts'
import { type Assistant, isReading, startAssistant, TOOLS } from './assistant.ts'

// A conversation as an assistant has it, with the real service.

describe('a conversation with lodgeway mcp', () => {
  let service: TestService
  let assistant: Assistant
  before(async () => {
    service = await testService()
    assistant = await startAssistant(service.url)
  })
  const read = async (name: string, input?: object) => {
    const { text, isError } = await assistant.use(name, input)
    assert.ok(!isError, text)
    return JSON.parse(text)
  }
  const refused = async (name: string, input?: object) => {
    const { text, isError } = await assistant.use(name, input)
    assert.ok(isError, text)
    return text
  }

  it('offers the six tools, and says which only read', async () => {
    const { tools } = await assistant.client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOLS,
    )
    for (const { name, annotations, inputSchema, description } of tools) {
      assert.equal(annotations?.readOnlyHint, isReading(name), name)
      assert.equal(annotations?.destructiveHint, !isReading(name), name)
      assert.equal(inputSchema.type, 'object')
      assert.ok((description?.length ?? 0) > 50)
    }
    const find = tools.find(({ name }) => name === 'find_matters')?.inputSchema.properties as Record<
      string,
      { enum?: string[] }
    >
    assert.ok(find['turn']?.enum?.includes('LAW_FIRM'))
    assert.match(assistant.client.getInstructions() ?? '', /sandbox at http/)
  })

  it('finds out why a matter does not move, and moves it', async () => {
    const order = anOrder({ reference: 'ASSIST-1' })
    const { body } = await service.call<{ workspaceId: string }>(
      'POST',
      '/partner/api/platformconnect/v1/remortgage/workspaces',
      {
        as: 'sandbox-lender',
        json: order,
      },
    )
    const path = { workspace_id: body.workspaceId }
    const { records } = await read('find_matters', { q: 'assist-1', turn: 'LAW_FIRM' })
    assert.deepEqual(
      records.map(({ reference }: { reference: string }) => reference),
      ['ASSIST-1'],
    )
    const stuck = await read('explain_matter', { matter: 'ASSIST-1' })
    assert.equal(stuck.turn.inWords, 'the law firm: give a title number')
    const [first] = stuck.failing
    assert.deepEqual([first.ruleId, first.fixWith], ['title-must-be-valid', ['addTitle']])
    assert.ok(stuck.lastEvents.some(({ type }: { type: string }) => type === 'WORKSPACE_CREATED'))
    assert.match(
      (await assistant.use('read_docs', { name: 'addTitle' })).text,
      /^# [\s\S]*`titleNumber` \(string, required\)/,
    )
    const wrong = await refused('call_operation', { operation: 'addTitle', path, body: { titleNumber: 'wrong' } })
    const [, correlationId] = /^correlation id: (\S+)$/m.exec(wrong) ?? []
    assert.match(wrong, /^ {2}titleNumber: [\s\S]*guide: http.*errors#400$/m)
    const added = await read('call_operation', { operation: 'addTitle', path, body: { titleNumber: 'ST500678' } })
    assert.equal(added.status, 202)
    assert.ok(added.correlationId)
    await read('play', { clock: { advance: 'PT0S' } })
    const moved = await read('explain_matter', { matter: body.workspaceId })
    assert.notEqual(moved.turn.task, 'GIVE_TITLE')
    // Requests are logged a moment later.
    const problem = async () => {
      const { requests } = await read('recent_problems', { matter: 'ASSIST-1' })
      return requests.find((one: { correlationId: string }) => one.correlationId === correlationId)
    }
    await eventually(async () => (await problem()) !== undefined)
    const { operation, status, errors } = await problem()
    assert.deepEqual([operation, status, errors[0].field], ['addTitle', 400, 'titleNumber'])
  })

  it('plays a scenario as far as a step, and approves in the sandbox', async () => {
    const { reference, workspaceId, status } = await read('play', { scenario: 'straight-through', until: 'order' })
    assert.equal(status, 'DONE')
    assert.equal((await read('explain_matter', { matter: reference })).matter.workspaceId, workspaceId)
    const body = { action: 'APPROVE', workspaceId, approvedBy: 'jo.marsh@harbour.example' }
    const early = await refused('call_operation', {
      operation: 'approveLodgement',
      path: { workspace_id: workspaceId },
      body,
    })
    assert.match(early, /was answered with 409/)
    assert.ok((await read('play')).records.length > 5)
  })

  it('sees why a webhook failed', async () => {
    const body = { webhookURI: 'http://127.0.0.1:1/hooks', eventTypes: ['WORKSPACE_CREATED'] }
    const registered = await read('call_operation', { operation: 'createNotificationRegistration', body })
    const path = { registration_id: registered.body.registrationId }
    await read('call_operation', { operation: 'testNotificationRegistration', path })
    const failed = async () =>
      (await read('recent_problems')).deliveries.find(({ type }: { type: string }) => type === 'TEST')
    await eventually(async () => (await failed()) !== undefined)
    assert.match((await failed()).reason, /\w{5,}/)
  })

  it('reads everything that is listed, and errors by their status', async () => {
    const { text: list } = await assistant.use('read_docs')
    assert.match(list, /\/docs\/operations\/addTitle\.md/)
    assert.match((await assistant.use('read_docs', { name: 'webhooks' })).text, /^# Receive webhooks/)
    const conflict = (await assistant.use('read_docs', { name: 'conflict' })).text
    assert.equal((await assistant.use('read_docs', { name: '409' })).text, conflict)
    assert.match(conflict, /the state does not allow it[\s\S]*^## 409/m)
  })

  it('says what to do next when it is used wrongly', async () => {
    const mistakes: [string, object, RegExp][] = [
      ['explain_matter', { matter: 'NOBODY-1' }, /No workspace .* NOBODY-1\. Use find_matters/],
      ['find_matters', { colour: 'blue' }, /find_matters has no colour\. It takes: .*\bturn\b/],
      ['explain_matter', {}, /required property 'matter'/],
      ['read_docs', { name: 'webhoks' }, /Did you mean webhooks\?/],
      ['read_docs', { name: '499' }, /does not answer with 499/],
      ['call_operation', { operation: 'addTitel' }, /Did you mean addTitle\?/],
      ['call_operation', { operation: 'getWorkspace' }, /also needs:\npath\.workspace_id: /],
      ['call_operation', { operation: 'uploadFile' }, /sends a file.*lodgeway upload/],
      ['play', { scenario: 'nothing' }, /404/],
      ['play', { scenario: 'transfer', clock: { to: 'next' } }, /either a scenario or a clock/],
    ]
    for (const [name, input, expected] of mistakes) assert.match(await refused(name, input), expected)
  })
})
