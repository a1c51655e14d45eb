import type { Register } from './register.ts'

/**
 * The thirty flags of an extract for the kinds of entries in a register. Those that are always `false` are for kinds that
 * `Register` cannot hold.
 */
export function registerEntryIndicators({
  tenure,
  pricePaid,
  restrictions,
  rights,
  burdens,
  charges,
  indicators,
}: Register) {
  const restricted = new Set(restrictions.map(({ type }) => type))
  return {
    agreedNoticeIndicator: false,
    bankruptcyIndicator: false,
    cautionIndicator: false,
    ccbiIndicator: false,
    chargeeIndicator: charges.length > 0,
    chargeIndicator: charges.length > 0,
    chargeRelatedRestrictionIndicator: restricted.has('CHARGE_RELATED'),
    chargeRestrictionIndicator: restricted.has('CHARGE'),
    creditorsNoticeIndicator: false,
    deathOfProprietorIndicator: false,
    deedOfPostponementIndicator: false,
    discountChargeIndicator: false,
    equitableChargeIndicator: false,
    greenOutEntryIndicator: false,
    homeRightsChangeOfAddressIndicator: false,
    homeRightsIndicator: false,
    leaseHoldTitleIndicator: tenure === 'LEASEHOLD',
    multipleChargeIndicator: charges.length > 1,
    nonChargeRestrictionIndicator: restricted.has('OTHER') || restricted.has('JOINT_PROPRIETOR'),
    notedChargeIndicator: false,
    pricePaidIndicator: pricePaid !== undefined,
    propertyDescriptionNotesIndicator: false,
    rentChargeIndicator: false,
    rightOfPreEmptionIndicator: false,
    scheduleOfLeasesIndicator: false,
    subChargeIndicator: false,
    unidentifiedEntryIndicator: rights.length > 0 || burdens.length > 0,
    unilateralNoticeBeneficiaryIndicator: false,
    unilateralNoticeIndicator: false,
    vendorsLienIndicator: false,
    ...indicators,
  }
}
