import { isLenders, type Register } from '../../../src/registry/register.ts'
import { el, type Xml } from './xml.ts'

const NAMES = [
  'AgreedNotice',
  'Bankruptcy',
  'Caution',
  'CCBI',
  'Chargee',
  'Charge',
  'ChargeRelatedRestriction',
  'ChargeRestriction',
  'CreditorsNotice',
  'DeathOfProprietor',
  'DeedOfPostponement',
  'DiscountCharge',
  'EquitableCharge',
  'GreenOutEntry',
  'HomeRightsChangeOfAddress',
  'HomeRights',
  'LeaseHoldTitle',
  'MultipleCharge',
  'NonChargeRestriction',
  'NotedCharge',
  'PricePaid',
  'PropertyDescriptionNotes',
  'RentCharge',
  'RightOfPreEmption',
  'ScheduleOfLeases',
  'SubCharge',
  'UnidentifiedEntry',
  'UnilateralNoticeBeneficiary',
  'UnilateralNotice',
  'VendorsLien',
]

/** Which kinds of entries a register has, in the order of the schema. */
export function indicatorsOf({ tenure, charges, restrictions, pricePaid, rights, burdens }: Register): Xml {
  const present: Readonly<Record<string, boolean>> = {
    Chargee: charges.length > 0,
    Charge: charges.length > 0,
    ChargeRelatedRestriction: restrictions.some(({ type }) => type === 'CHARGE_RELATED'),
    ChargeRestriction: restrictions.some(({ type }) => type === 'CHARGE'),
    LeaseHoldTitle: tenure === 'LEASEHOLD',
    MultipleCharge: charges.length > 1,
    NonChargeRestriction: restrictions.some((one) => !isLenders(one)),
    PricePaid: pricePaid !== undefined,
    UnidentifiedEntry: rights.length > 0 || burdens.length > 0,
  }
  return el(
    'RegisterEntryIndicators',
    NAMES.map((name) => el(`${name}Indicator`, present[name] ?? false)),
  )
}
