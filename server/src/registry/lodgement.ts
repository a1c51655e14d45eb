import type { Name } from '../workspaces/names.ts'
import type { PartyRole } from '../workspaces/ownership.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import type { RegistryDocument } from './documents.ts'
import type { OfficialCopy } from './register.ts'

// What is sent to the registry, and its notices about it. All of it is plain data, stored as JSON.

export const DEED_REFERENCE_TYPES = ['PAPER', 'DIGITAL'] as const
export const CERTIFICATION_TYPES = ['CERTIFIED', 'ORIGINAL', 'SCANNED'] as const

export const TITLE_GUARANTEES = ['FULL', 'LIMITED'] as const
export const CONSIDERATION_TYPES = ['MONETARY_VALUE', 'NO_MONETARY_VALUE', 'OTHER'] as const
export const TRUST_DECLARATIONS = ['JOINT_TENANTS', 'TENANTS_IN_COMMON', 'TRUST_DETAILS'] as const
export const VALUE_BANDS = ['UP_TO_100000', 'UP_TO_200000', 'UP_TO_500000', 'UP_TO_1000000', 'ABOVE_1000000'] as const

export type DeedReferenceType = (typeof DEED_REFERENCE_TYPES)[number]
export type ValueBand = (typeof VALUE_BANDS)[number]
export type CertificationType = (typeof CERTIFICATION_TYPES)[number]

/** A case as it is sent, and sent again if the outcome of the first time is unknown. */
export type Lodgement = {
  /** Our reference for the matter, 1 to 25 characters, which the registry uses when it writes to us. */
  customerReference: string
  titleNumber: string
  /** The London day of completion, which is the date of the deeds: `yyyy-mm-dd`. */
  completedOn: string
  /** The lender in whose favour the new charge is. */
  lender: string
  /** The firm that lodges, and the person there who approved it. */
  lodgedBy: string
  submittedBy: string
  parties: LodgedParty[]
  /** Whether there are interests that the register does not show but must be disclosed. Undefined where nobody said. */
  disclosableOverridingInterests?: boolean
  /** In order of priority, which is consecutive from 1. */
  applications: LodgedApplication[]
}

export type LodgedParty = {
  role: PartyRole
  name: Name
  /** Of the registered proprietor who the party is, in the register, from 1. */
  position?: number
  representation?: {
    representedBy: RepresentedBy
    /** The firm that represents the party, the lodging one or another. */
    firm?: string
    address?: Record<string, string>
    referenceNumber?: string
    verificationOfIdentity?: Verification
  }
  /** Where the registry writes to a new proprietor. */
  addressForService?: Record<string, string>
}

/** A proprietor's position in the register, from 1, and the name there. */
export type RegisteredName = { position: number; name: Name }

export type LodgedApplication = {
  applicationId: string
  priority: number
  /** Left out when it depends on a value that is not known; the registry then assesses it. */
  feePence?: number
  documents: LodgedDocument[]
} & ApplicationParticulars

export type ApplicationParticulars =
  | { type: 'DISCHARGE' }
  | { type: 'CHANGE_OF_NAME'; proprietor: RegisteredName; newName: Name }
  | {
      type: 'TRANSFER_OF_WHOLE'
      outgoing: RegisteredName[]
      incoming: Name[]
      /** The proprietors who stay. */
      remaining?: RegisteredName[]
      /** The price, or what the share that changes hands is worth. */
      transactionValuePence?: number
      terms?: TransferTerms
    }
  | { type: 'CANCEL_A_RESTRICTION' }
  | {
      type: 'MORTGAGE_DEED'
      transactionValuePence: number
      deedReference: string
      deedReferenceType: DeedReferenceType
    }

/** The terms of the deed of transfer, as far as a registry wants them apart from it. */
export type TransferTerms = {
  titleGuarantee?: (typeof TITLE_GUARANTEES)[number]
  considerationType?: (typeof CONSIDERATION_TYPES)[number]
  /** Of another consideration than money. */
  considerationDescription?: string
  /** Of two or more proprietors. */
  trustDeclaration?: (typeof TRUST_DECLARATIONS)[number]
  trustDetails?: string
  /** Of a transfer that is not for money, where the value is not known exactly. */
  transactionValueBand?: ValueBand
  outstandingChargePence?: number
}

/** A document. Its bytes are opened by their SHA-256. */
export type LodgedDocument = {
  fileId: string
  fileName: string
  documentType: string
  documentCategory: string
  certificationType: CertificationType
  sha256: string
  size: number
}

/** The answer to a requisition. */
export type RequisitionReply = { registryId: string; message: string; documents: LodgedDocument[] }

/** A notice of the registry about a lodgement, and what it sent with it. A notice that is repeated has the same id. */
export type Notice = { noticeId: string; at: Date; documents?: RegistryDocument[] } & NoticeContent

export type NoticeContent =
  | { kind: 'accepted'; registryReference: string; priorityAt: Date }
  /** A fault of which the registry names no field, or one that this interface does not have, has only its reason. */
  | { kind: 'validation failed'; faults: { field?: string; reason: string }[] }
  /** `registryId` is the registry's id of the requisition; the answer refers to it. A letter has no points. */
  | { kind: 'requisitioned'; registryId: string; points: string[] }
  | { kind: 'answer accepted'; registryId: string }
  | { kind: 'cancelled'; reason: string }
  /** `early`: all but the discharge, which follows in a separate notice. */
  | { kind: 'completed'; early: boolean; copy: OfficialCopy }
  | { kind: 'discharged'; copy: OfficialCopy }
