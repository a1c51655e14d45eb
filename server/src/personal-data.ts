// Keys in lower case without `-` and `_`. Add every property that identifies a person or an account.

/** Never logged, like secrets. */
export const PERSONAL_KEYS: readonly string[] =
  `forename forenames surname firstname lastname fullname names organisationname partyname parties
  partydetails proprietordetails registereddetails registerextract email approvedby confirmedby submittedby actinguser xactinguser
  createdby lastmodifiedby address addresses securityaddress flat street postcode externallawfirm addressforservice trustdetails
  considerationdescription bankaccount accountname accountnumber sortcode filename cancellationnotesforother body rawbody`.split(
    /\s+/,
  )
