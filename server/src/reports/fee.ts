import { BANDS_UP_TO_PENCE, feeOf, VALUE_BAND_PENCE } from '../lodgement/fees.ts'
import { APPLICATION_TYPES } from '../lodgement/rules.ts'

// The registry's fee as SQL, generated from `feeOf`, so that there is one definition of it.

type Circumstances = { applicationType: (typeof APPLICATION_TYPES)[number]; hasTransfer: boolean; isForMoney: boolean }

const charged = ({ applicationType, hasTransfer, isForMoney }: Circumstances, transactionValuePence?: number) => {
  const value = {
    ...(transactionValuePence !== undefined && { transactionValuePence }),
    ...(isForMoney && { considerationType: 'MONETARY_VALUE' as const }),
  }
  return feeOf({ applicationType, status: 'READY', ...value }, { hasTransfer }) ?? 'null'
}

const feeBy = (one: Circumstances) => `
  when a.application_type = '${one.applicationType}' and ${one.hasTransfer} = has_transfer
   and ${one.isForMoney} = is_for_money then case
    when value_pence is null then ${charged(one)}
    ${BANDS_UP_TO_PENCE.map((upTo) => `when value_pence <= ${upTo} then ${charged(one, upTo)}`).join('\n    ')}
    else ${charged(one, Number.MAX_SAFE_INTEGER)} end`

const EITHER = [true, false]
const FEE = `case ${APPLICATION_TYPES.flatMap((applicationType) =>
  EITHER.flatMap((hasTransfer) => EITHER.map((isForMoney) => feeBy({ applicationType, hasTransfer, isForMoney }))),
).join('')} end`

const IS_FOR_MONEY = `coalesce(consideration_type = 'MONETARY_VALUE', false)`
const OF_BAND = Object.entries(VALUE_BAND_PENCE).map(([band, pence]) => `when '${band}' then ${pence}`)

/** The sum of the fees of the case `c`, null while one of them depends on a value that is not known yet. */
export const CASE_FEE = `
  select case when bool_and(fee is not null) then sum(fee) end as pence
    from (select ${FEE} as fee
            from (select *, bool_or(application_type = 'TRANSFER_OF_WHOLE') over () as has_transfer,
                         ${IS_FOR_MONEY} as is_for_money, coalesce(transaction_value_pence, case when not ${IS_FOR_MONEY}
                           then case transaction_value_band ${OF_BAND.join(' ')} end end) as value_pence
                    from lodgement_applications where lodgement_case_id = c.lodgement_case_id and status <> 'WITHDRAWN') a
         ) fees`
