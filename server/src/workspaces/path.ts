/** Where every operation on matters, and every report, is found. */
export const PARTNER_PATH = '/partner/api/platformconnect/v1'
