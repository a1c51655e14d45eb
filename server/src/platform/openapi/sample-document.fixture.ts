import type { RouteOptions } from 'fastify'
import { pino } from 'pino'
import { type App, createApp } from '../http/http.ts'
import { Answer, CalendarDate, Choice, Closed, Email, Page, PageQuery, Timestamp, Type, Uuid } from '../http/schema.ts'
import { buildOpenApi, type OpenApiInput } from './openapi.ts'
import {
  Binary,
  CreateWorkspaceRequest,
  FileId,
  OneWorkspace,
  ReconcileRequest,
  Reference,
  Status,
  Token,
  TokenError,
  TokenRequest,
  Workspace,
  WorkspaceId,
} from './sample-schemas.fixture.ts'

// One route of every kind that the interface has, so that the document and its page can be tested without the features.

export async function sampleDocument(input: Partial<OpenApiInput> = {}) {
  return buildOpenApi({ ...SAMPLE, routes: await collectRoutes(sampleRoutes), ...input })
}

/** The routes as the app sees them once Fastify has added its own. */
export async function collectRoutes(register: (app: App) => void): Promise<RouteOptions[]> {
  const app = await createApp({ log: pino({ level: 'silent' }), trustProxy: false })
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  register(app)
  await app.ready()
  await app.close()
  return routes
}

export const SAMPLE: Omit<OpenApiInput, 'routes'> = {
  title: 'Sample',
  version: 'v1.0.0',
  description: 'An interface of **samples**: see `GET /reports`.',
  servers: [{ url: 'http://127.0.0.1:8080', description: 'The sandbox' }],
  scopes: {
    'view:reports': 'Retrieve reports',
    'view:workspaces': 'Read workspaces',
    'edit:workspaces': 'Change workspaces',
    'approve:workspaces': 'Approve workspaces',
    'unapprove:workspaces': 'Take back approvals',
  },
  tags: [
    { name: 'Authentication', description: 'Get an access token.' },
    { name: 'Reports', description: 'Generated in the night after each day.' },
    { name: 'Workspaces', description: 'Where lenders and law firms meet.' },
  ],
  webhooks: {
    WORKSPACE_CREATED: Answer(
      'WorkspaceCreated',
      {
        id: Uuid({ description: 'The same in every attempt.' }),
        type: Type.Literal('WORKSPACE_CREATED', { description: 'What happened.' }),
        timestamp: Timestamp({ description: 'When it happened.' }),
        data: Type.Object({ workspaceId: WorkspaceId }, { maxProperties: 5, description: 'Identifiers only.' }),
      },
      { description: 'A workspace was created.' },
    ),
  },
}

const handler = () => {}

export function sampleRoutes(app: App): void {
  app.route({
    method: 'GET',
    url: '/reports/:report_name/content',
    config: {
      scope: 'view:reports',
      produces: ['application/octet-stream'],
      validatesItself: true,
      refusals: { 404: 'No report of this name (`reportName`), or none for that date (`requestedDate`).' },
    },
    schema: {
      operationId: 'getReportContent',
      summary: 'Retrieve a report',
      description: 'The newest when `date` is left out.',
      tags: ['Reports'],
      params: Type.Object({ report_name: Choice(['report-daily', 'report-todate'], { description: 'Which one.' }) }),
      querystring: Type.Object({ date: Type.Optional(CalendarDate({ description: 'Of which day.' })) }),
      answerHeaders: { 'X-Report-Row-Count': 'How many rows follow the header row.' },
      response: { 200: Binary },
      examples: { 404: { errors: [{ field: 'reportName', message: 'There is no report of this name.' }] } },
    },
    handler,
  })
  app.route({
    method: 'GET',
    url: '/workspaces',
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listWorkspaces',
      summary: 'List workspaces',
      description: 'Newest first.',
      tags: ['Workspaces'],
      querystring: Type.Object({ ...PageQuery, status: Type.Optional(Status) }),
      response: { 200: Page('WorkspacePage', Workspace) },
    },
    handler,
  })
  app.route({
    method: 'POST',
    url: '/workspaces',
    config: { scope: 'edit:workspaces', kinds: ['LENDER'], refusals: { 409: 'The subscriber is being moved.' } },
    schema: {
      operationId: 'createWorkspace',
      summary: 'Create a workspace',
      description: 'The law firm is notified.',
      tags: ['Workspaces'],
      body: CreateWorkspaceRequest,
      response: { 202: Answer('CreatedWorkspace', { workspaceId: WorkspaceId, reference: Reference }) },
    },
    handler,
  })
  app.route({
    method: 'GET',
    url: '/workspaces/:workspace_id',
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'getWorkspace',
      summary: 'Read a workspace',
      description: 'With its parties.',
      tags: ['Workspaces'],
      params: OneWorkspace,
      response: { 200: Workspace },
    },
    handler,
  })
  app.route({
    method: 'PATCH',
    url: '/workspaces/:workspace_id/title-reconciliation',
    config: { scope: 'edit:workspaces', kinds: ['LAW_FIRM'] },
    schema: {
      operationId: 'updateTitleReconciliation',
      summary: 'Reconcile a name',
      description: 'The same again changes nothing.',
      tags: ['Workspaces'],
      params: OneWorkspace,
      body: ReconcileRequest,
      response: {
        200: Answer('Reconciled', {
          action: Choice(['UPDATE_PARTY_NAME', 'SET_AS_INCOMING_PROPRIETOR'], { description: 'What was done.' }),
        }),
      },
    },
    handler,
  })
  app.route({
    method: 'POST',
    url: '/workspaces/:workspace_id/approvals',
    config: { scope: ['approve:workspaces', 'unapprove:workspaces'] },
    schema: {
      operationId: 'approve',
      summary: 'Approve or unapprove',
      description: 'Needs the scope of its action.',
      tags: ['Workspaces'],
      params: OneWorkspace,
      body: Closed({
        action: Choice(['APPROVE', 'UNAPPROVE'], { description: 'What to do.' }),
        approvedBy: Email({ description: 'Who does it.' }),
      }),
      response: { 202: Answer('Approval', { approvedAt: Timestamp({ description: 'When it was done.' }) }) },
    },
    handler,
  })
  app.route({
    method: 'POST',
    url: '/workspaces/:workspace_id/files',
    config: { scope: 'edit:workspaces', validatesItself: true },
    schema: {
      operationId: 'uploadFile',
      summary: 'Upload a file',
      description: 'Its outcome is an event.',
      tags: ['Workspaces'],
      params: OneWorkspace,
      consumes: ['multipart/form-data'],
      body: Closed({
        file: Type.Unsafe({
          type: 'string',
          format: 'binary',
          contentMediaType: 'application/pdf',
          description: 'A PDF.',
        }),
        documentType: Choice(['MORTGAGE_DEED', 'EVIDENCE'], { description: 'What it is.' }),
      }),
      response: { 202: Answer('UploadedFile', { fileId: FileId }) },
    },
    handler,
  })
  app.route({
    method: 'DELETE',
    url: '/workspaces/:workspace_id/files/:file_id',
    config: { scope: 'edit:workspaces' },
    schema: {
      operationId: 'withdrawFile',
      summary: 'Withdraw a file',
      description: 'It no longer counts.',
      tags: ['Workspaces'],
      params: Type.Object({ file_id: FileId, workspace_id: WorkspaceId }),
      response: { 204: Type.Null() },
    },
    handler,
  })
  app.route({
    method: 'POST',
    url: '/oauth/token',
    config: { scope: 'none', validatesItself: true, refusals: { 401: 'The client could not be authenticated.' } },
    schema: {
      operationId: 'issueToken',
      summary: 'Get an access token',
      description: 'By the client’s id and secret.',
      tags: ['Authentication'],
      consumes: ['application/x-www-form-urlencoded', 'application/json'],
      body: TokenRequest,
      response: {
        200: Token,
        400: TokenError,
        401: TokenError,
        '4xx': TokenError,
        '5xx': TokenError,
      },
    },
    handler,
  })
  app.route({ method: 'GET', url: '/livez', config: { scope: 'none', undocumented: true }, handler })
}
