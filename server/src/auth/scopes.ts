/** Every scope of the interface, with what it lets a client do. */
export const SCOPES = {
  'x-api:view:reports': 'Retrieve reports and figures',
  'x-api:create:remortgage_workspaces': 'Create remortgage workspaces',
  'x-api:cancel:workspaces': 'Cancel workspaces',
  'edit:workspaces': 'Change the reference and the security address of a workspace, and set an own reference',
  'view:workspaces':
    'List and read workspaces, readiness, reconciliation, representations, files and timeline; find law firms, lenders and business days',
  'edit:workspace_parties': 'Reconcile the names on the title',
  'add:legal_representation_details': 'Add and update representation',
  'x-api:add:workspace_titles': 'Add a title to a workspace',
  'x-api:view:lodgement_summary': 'Read the lodgement case and its applications',
  'x-api:view:documents': 'Download lodgement documents and file content',
  'view:title_documents': 'Read title documents',
  'x-api:edit:lodgement_applications': 'Update applications and answer requisitions',
  'x-api:create:attachments': 'Attach documents to an application',
  'x-api:add:workspace_files': 'Upload files to a workspace and withdraw them',
  'x-api:approve:lodgement_applications': 'Approve lodgement applications, and confirm what keeps them from it',
  'x-api:unapprove:lodgement_applications': 'Take back the approval of lodgement applications',
  'view:financial_settlement_schedules': 'Read settlement schedules, and download their payment files',
  'edit:financial_settlement_schedules': 'Set the completion date, edit line items, and confirm payments',
  'x-api:approve:financial_settlement_schedules': 'Approve settlement schedules, and confirm what keeps them from it',
  'x-api:unapprove:financial_settlement_schedules': 'Take back the approval of settlement schedules',
  'x-api:authorise:funds': 'Authorise funds',
  'view:notifications': 'List webhook registrations and deliveries, and read the event feed',
  'view:requests': 'Read the log of the subscriber’s own requests',
  'edit:notification_registrations': 'Create, change, delete, rotate, test and retry webhooks',
} as const

export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[]

/** What commits a subscriber: to lodge, to pay, or to stand by what is unusual. */
export const DECISION_SCOPES = ALL_SCOPES.filter((scope) => /^x-api:(un)?(approve|authorise):/.test(scope))

/** The actions on the applications of a case and on a schedule. Each has its own scope. */
export const APPROVAL_ACTIONS = ['APPROVE', 'UNAPPROVE'] as const
export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number]

/** The scope of the action in a body; undefined if it has none, so that validation can report that. */
export const scopeOfAction =
  (scopes: Record<ApprovalAction, Scope>) =>
  (body: unknown): Scope | undefined => {
    const { action } = (body ?? {}) as { action?: unknown }
    return action === 'APPROVE' || action === 'UNAPPROVE' ? scopes[action] : undefined
  }

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text)

/** What operators may do at `/operator/v1`. No client and no other person can have these. */
export const OPERATOR_SCOPES = {
  'operator:view': 'See nodes, jobs, accounts and the headers of the audit; no matter',
  'operator:run': 'Run dead jobs again, and verify the audit',
  'operator:change': 'Switch maintenance, and change subscribers, clients and people, after a recent sign-in',
} as const

export type OperatorScope = keyof typeof OPERATOR_SCOPES

export const isOperatorScope = (text: unknown): text is OperatorScope =>
  typeof text === 'string' && Object.hasOwn(OPERATOR_SCOPES, text)
