// What the adapter keeps, and what it reads from the gateway.

export type Secrets = { password: string; certificate: string; key: string }

export type Account = Secrets & {
  lawFirmId: string
  username: string
  certificateEndsAt: Date
  telephone: string
  warningUnderstoodBy: string
  warningUnderstoodAt: Date
  changedAt: Date
}

export type Lender = { kind: 'UK_COMPANY' | 'OTHER_ORGANISATION'; companyNumber: string | null }

export type RegistryError = { type?: string; detail: string; pointer?: string | null }

export type Submission = {
  messageId: string
  lawFirmId: string
  titleNumber: string
  customerReference: string
  completedOn: string
  body: unknown
  attempt: number
  applicationRequestId: string | null
  refused: RegistryError[] | null
  refusedAt: Date | null
}

export type Notification = { notificationId: string; type: string; eventAt: Date; payload: Record<string, unknown> }

export type ReplyPart = { registryId: string; part: string; begunAt: Date | null; endedAt: Date | null }
