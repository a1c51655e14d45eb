import type { Name } from '../workspaces/names.ts'
import type { PartyRole } from '../workspaces/ownership.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import type { OfficialCopy } from './register.ts'

// What is sent to the registry, and what it says of it afterwards. All plain data: it is kept as JSON.

export const DEED_REFERENCE_TYPES = ['PAPER', 'DIGITAL'] as const
export const CERTIFICATION_TYPES = ['CERTIFIED', 'ORIGINAL', 'SCANNED'] as const

export type DeedReferenceType = (typeof DEED_REFERENCE_TYPES)[number]
export type CertificationType = (typeof CERTIFICATION_TYPES)[number]

/** A case as it is sent, and as it is sent again where the first time is in doubt. */
export type Lodgement = {
  /** Our own name for the matter, 1 to 25 characters, under which the registry writes to us. */
  customerReference: string
  titleNumber: string
  /** The London day of completion, which the deeds bear: `yyyy-mm-dd`. */
  completedOn: string
  /** The lender in whose favour the new charge is. */
  lender: string
  /** The firm that lodges, and the person there who approved it. */
  lodgedBy: string
  submittedBy: string
  parties: LodgedParty[]
  /** In order of priority, which is consecutive from 1. */
  applications: LodgedApplication[]
}

export type LodgedParty = {
  role: PartyRole
  name: Name
  representation?: {
    representedBy: RepresentedBy
    /** The firm that represents the party, the lodging one or another. */
    firm?: string
    address?: Record<string, string>
    referenceNumber?: string
    verificationOfIdentity?: Verification
  }
}

/** A proprietor's place in the register, from 1, and the name that stands there. */
export type RegisteredName = { position: number; name: Name }

export type LodgedApplication = {
  applicationId: string
  priority: number
  /** Left out where it depends on a value that nobody gave; the registry then assesses it. */
  feePence?: number
  documents: LodgedDocument[]
} & ApplicationParticulars

export type ApplicationParticulars =
  | { type: 'DISCHARGE' }
  | { type: 'CHANGE_OF_NAME'; proprietor: RegisteredName; newName: Name }
  | { type: 'TRANSFER_OF_WHOLE'; outgoing: RegisteredName[]; incoming: Name[] }
  | { type: 'CANCEL_A_RESTRICTION' }
  | {
      type: 'MORTGAGE_DEED'
      transactionValuePence: number
      deedReference: string
      deedReferenceType: DeedReferenceType
    }

/** A document, whose bytes are opened by their SHA-256. */
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

/** Something that the registry says of a lodgement. Its id is its own: by it one that comes again is known. */
export type Notice = { noticeId: string; at: Date } & Said

export type Said =
  | { kind: 'accepted'; registryReference: string; priorityAt: Date }
  | { kind: 'validation failed'; faults: { field: string; reason: string }[] }
  /** `registryId` is the registry's own name for the requisition, which the answer bears. */
  | { kind: 'requisitioned'; registryId: string; points: string[] }
  | { kind: 'answer accepted'; registryId: string }
  | { kind: 'cancelled'; reason: string }
  /** Early: all but the discharge, which follows as a notice of its own. */
  | { kind: 'completed'; early: boolean; copy: OfficialCopy }
  | { kind: 'discharged'; copy: OfficialCopy }
