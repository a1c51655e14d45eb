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

/**
 * A transfer of equity between those who borrow has no price, so it is assessed on the same scale as a charge.
 * Sales would need scale 1 here.
 */
const SCALES: Record<ApplicationType, readonly Band[]> = {
  DISCHARGE: [],
  CHANGE_OF_NAME: [],
  TRANSFER_OF_WHOLE: SCALE_2,
  CANCEL_A_RESTRICTION: [],
  MORTGAGE_DEED: SCALE_2,
}

/** Every amount at which a fee changes, lowest first. */
export const BANDS_UP_TO_PENCE: readonly number[] = [
  ...new Set(
    Object.values(SCALES)
      .flat()
      .map(({ upToPence }) => upToPence),
  ),
]
  .filter(Number.isFinite)
  .sort((a, b) => a - b)

type Charged = { applicationType: ApplicationType; status: string; transactionValuePence?: number }

/**
 * In pence. Undefined while it depends on a value that nobody has given, and of an application that is withdrawn: it is
 * not lodged. The charge that accompanies a transfer is free, for the transfer has the scale fee.
 */
export function feeOf(application: Charged, { hasTransfer }: { hasTransfer: boolean }): number | undefined {
  const { applicationType, status, transactionValuePence: value } = application
  if (status === 'WITHDRAWN') return undefined
  const scale = SCALES[applicationType]
  const isFree = scale.length === 0 || (applicationType === 'MORTGAGE_DEED' && hasTransfer)
  if (isFree) return 0
  return value === undefined ? undefined : scale.find(({ upToPence }) => value <= upToPence)?.feePence
}

/** Whether a transfer is lodged with the rest. */
export const hasTransfer = (applications: readonly Pick<Charged, 'applicationType' | 'status'>[]): boolean =>
  applications.some(({ applicationType, status }) => applicationType === 'TRANSFER_OF_WHOLE' && status !== 'WITHDRAWN')
