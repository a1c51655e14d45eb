import type { TransferTerms, ValueBand } from '../registry/lodgement.ts'
import type { ApplicationType } from './rules.ts'

// What the registry charges for an application. As data: a new fee order changes the table and nothing else.

type Band = { upToPence: number; feePence: number }

/** Scale 2, electronic, whole of a title: by the value of the charge, or of a transfer that is not for value. */
const SCALE_2: readonly Band[] = [
  { upToPence: 100_000_00, feePence: 20_00 },
  { upToPence: 200_000_00, feePence: 30_00 },
  { upToPence: 500_000_00, feePence: 45_00 },
  { upToPence: 1_000_000_00, feePence: 65_00 },
  { upToPence: Number.POSITIVE_INFINITY, feePence: 140_00 },
]

/** Scale 1, the same: by the price of a transfer for money. */
const SCALE_1: readonly Band[] = [
  { upToPence: 80_000_00, feePence: 20_00 },
  { upToPence: 100_000_00, feePence: 40_00 },
  { upToPence: 200_000_00, feePence: 100_00 },
  { upToPence: 500_000_00, feePence: 150_00 },
  { upToPence: 1_000_000_00, feePence: 295_00 },
  { upToPence: Number.POSITIVE_INFINITY, feePence: 500_00 },
]

/** A transfer of equity that has no price is assessed on the same scale as a charge. */
const SCALES: Record<ApplicationType, readonly Band[]> = {
  DISCHARGE: [],
  CHANGE_OF_NAME: [],
  TRANSFER_OF_WHOLE: SCALE_2,
  CANCEL_A_RESTRICTION: [],
  MORTGAGE_DEED: SCALE_2,
}

/** Every amount at which a fee changes, lowest first. */
export const BANDS_UP_TO_PENCE: readonly number[] = [
  ...new Set([...Object.values(SCALES).flat(), ...SCALE_1].map(({ upToPence }) => upToPence)),
]
  .filter(Number.isFinite)
  .sort((a, b) => a - b)

/** The bands of a value that is not known exactly are those of scale 2; each stands for its end. */
export const VALUE_BAND_PENCE: Record<ValueBand, number> = {
  UP_TO_100000: 100_000_00,
  UP_TO_200000: 200_000_00,
  UP_TO_500000: 500_000_00,
  UP_TO_1000000: 1_000_000_00,
  ABOVE_1000000: 1_000_000_01,
}

type Charged = Valued & { applicationType: ApplicationType; status: string }

type Valued = Pick<TransferTerms, 'considerationType' | 'transactionValueBand'> & { transactionValuePence?: number }

/** What a fee is assessed on, if it is known. A price is known exactly. */
export function assessedPence({ transactionValuePence, considerationType, transactionValueBand: band }: Valued) {
  const isBanded = band !== undefined && considerationType !== 'MONETARY_VALUE'
  return transactionValuePence ?? (isBanded ? VALUE_BAND_PENCE[band] : undefined)
}

/**
 * In pence. Undefined while it depends on a value that nobody has given, and of an application that is withdrawn: it is
 * not lodged. The charge that accompanies a transfer is free, for the transfer has the scale fee.
 */
export function feeOf(application: Charged, { hasTransfer }: { hasTransfer: boolean }): number | undefined {
  const { applicationType, status, considerationType } = application
  if (status === 'WITHDRAWN') return undefined
  const value = assessedPence(application)
  const isForMoney = applicationType === 'TRANSFER_OF_WHOLE' && considerationType === 'MONETARY_VALUE'
  const scale = isForMoney ? SCALE_1 : SCALES[applicationType]
  const isFree = scale.length === 0 || (applicationType === 'MORTGAGE_DEED' && hasTransfer)
  if (isFree) return 0
  return value === undefined ? undefined : scale.find(({ upToPence }) => value <= upToPence)?.feePence
}

/** Whether a transfer is lodged with the rest. */
export const hasTransfer = (applications: readonly Pick<Charged, 'applicationType' | 'status'>[]): boolean =>
  applications.some(({ applicationType, status }) => applicationType === 'TRANSFER_OF_WHOLE' && status !== 'WITHDRAWN')
