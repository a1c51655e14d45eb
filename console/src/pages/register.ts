import type { Lodgeway, Schemas } from '../../../client/src/index.ts'
import type { Details } from './names-rows.ts'

/** What pages show of the register of a title. */
export type RegisterShown = {
  editionDate: string
  officialCopyAt: string
  address: string
  proprietors: readonly Details[]
  charges: readonly { lenders: string; dated: string | undefined }[]
  /** Without those of a lender, which need no application. */
  restrictions: readonly string[]
}

type Place = { lodgementCaseId: string; titleId: string }

/** The register that the title search returned; undefined before that. */
export async function readRegister(api: Lodgeway, place: Place): Promise<RegisterShown | undefined> {
  const path = { lodgement_case_id: place.lodgementCaseId, title_id: place.titleId }
  const { records } = await api.getTitleDocuments({ path, query: { document_type: 'TITLE_REGISTER' } })
  return records[0] && registerOf(records[0])
}

type Summary = {
  propertyAddress?: { addressLine?: { line?: string[] }; postcodeZone?: { postcode?: string } }[]
  proprietorship?: { registeredProprietorParty?: RegisteredParty[] }
  charge?: { chargeEntry?: { chargeProprietor?: { chargeeParty?: RegisteredParty[] }; chargeDate?: string }[] }
  restrictionDetails?: { restrictionEntry?: { nonChargeRestriction?: { entryDetails?: { entryText?: string } } }[] }
}

type RegisteredParty = {
  privateIndividual?: { name?: { forenamesName?: string; surnameName?: string } }
  organization?: { name?: string; companyRegistrationNumber?: string }
}

export function registerOf(document: Schemas['TitleDocuments']['records'][number]): RegisterShown {
  // The shape is the registry's own, so each part may be left out.
  const {
    propertyAddress = [],
    proprietorship,
    charge,
    restrictionDetails,
  } = document.registerExtract.ocSummaryData as Summary
  const [property] = propertyAddress
  return {
    editionDate: document.editionDate,
    officialCopyAt: document.officialCopyDateTime,
    address: [...(property?.addressLine?.line ?? []), property?.postcodeZone?.postcode].filter(Boolean).join(', '),
    proprietors: (proprietorship?.registeredProprietorParty ?? []).map(detailsOf),
    charges: (charge?.chargeEntry ?? []).map(({ chargeProprietor, chargeDate }) => ({
      lenders: (chargeProprietor?.chargeeParty ?? [])
        .flatMap(({ organization }) => organization?.name ?? [])
        .join(', '),
      dated: chargeDate,
    })),
    restrictions: (restrictionDetails?.restrictionEntry ?? []).flatMap(
      ({ nonChargeRestriction }) => nonChargeRestriction?.entryDetails?.entryText ?? [],
    ),
  }
}

function detailsOf({ privateIndividual, organization }: RegisteredParty): Details {
  if (organization?.name === undefined) {
    const { forenamesName = '', surnameName = '' } = privateIndividual?.name ?? {}
    return { forenames: forenamesName, surname: surnameName }
  }
  const { name, companyRegistrationNumber: registrationNumber } = organization
  return { organisationName: name, ...(registrationNumber !== undefined && { registrationNumber }) }
}
