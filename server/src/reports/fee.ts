import { BANDS_UP_TO_PENCE, feeOf } from '../lodgement/fees.ts'
import { APPLICATION_TYPES } from '../lodgement/rules.ts'

// The registry's fee as SQL, generated from `feeOf`, so that there is one definition of it.

type Circumstances = { applicationType: (typeof APPLICATION_TYPES)[number]; hasTransfer: boolean }

const charged = ({ applicationType, hasTransfer }: Circumstances, transactionValuePence?: number) => {
  const value = transactionValuePence === undefined ? {} : { transactionValuePence }
  return feeOf({ applicationType, status: 'READY', ...value }, { hasTransfer }) ?? 'null'
}

const feeBy = (circumstances: Circumstances) => `
  when a.application_type = '${circumstances.applicationType}' and ${circumstances.hasTransfer} = has_transfer then case
    when a.transaction_value_pence is null then ${charged(circumstances)}
    ${BANDS_UP_TO_PENCE.map((upTo) => `when a.transaction_value_pence <= ${upTo} then ${charged(circumstances, upTo)}`).join('\n    ')}
    else ${charged(circumstances, Number.MAX_SAFE_INTEGER)} end`

const FEE = `case ${APPLICATION_TYPES.flatMap((applicationType) =>
  [true, false].map((hasTransfer) => feeBy({ applicationType, hasTransfer })),
).join('')} end`

/** The sum of the fees of the case `c`, null while one of them depends on a value that is not known yet. */
export const CASE_FEE = `
  select case when bool_and(fee is not null) then sum(fee) end as pence
    from (select ${FEE} as fee
            from (select *, bool_or(application_type = 'TRANSFER_OF_WHOLE') over () as has_transfer
                    from lodgement_applications where lodgement_case_id = c.lodgement_case_id and status <> 'WITHDRAWN') a
         ) fees`
