type SecurityAddress = Partial<Record<'flat' | 'name' | 'number' | 'locality' | 'county', string>> &
  Record<'street' | 'town' | 'postcode', string>

/** What a lender would order for each title of the sandbox: its address in the register, but for AD100001, which has none. */
export const ADDRESSES: Readonly<Record<string, SecurityAddress>> = {
  ST500678: { number: '12', street: 'Cothelstone Close', town: 'Taunton', postcode: 'TA1 9QH' },
  ST500679: { number: '27', street: 'Mill Leat', town: 'Wellington', county: 'Somerset', postcode: 'TA21 9QP' },
  ST500681: { number: '5', street: 'Priory Gardens', town: 'Bridgwater', postcode: 'TA6 9QD' },
  DN514817: { number: '3', street: 'Larkbeare Row', town: 'Exeter', county: 'Devon', postcode: 'EX2 9QT' },
  AB1208: { name: 'The Old Forge', street: 'Forge Yard', locality: 'Madley', town: 'Hereford', postcode: 'HR2 9QL' },
  CO100001: { number: '4', street: 'Kestrel Court', town: 'Colchester', postcode: 'CO4 9QG' },
  RQ100001: { number: '18', street: 'Orchard Walk', locality: 'Caversham', town: 'Reading', postcode: 'RG4 9QN' },
  LT100001: { number: '5', street: 'Chapel Steps', locality: 'Pudsey', town: 'Leeds', postcode: 'LS28 9QD' },
  CX100001: { number: '9', street: 'Northgate Terrace', town: 'Chester', postcode: 'CH1 9QF' },
  VF100001: { name: 'Tŷ Gwyn', street: 'Heol y Môr', town: 'Trefdraeth', county: 'Sir Benfro', postcode: 'SA42 9QJ' },
  SE100001: { flat: 'Flat 21', name: 'Chandlery Wharf', street: 'Rope Street', town: 'London', postcode: 'SE16 9QW' },
  SL100001: { number: '64', street: 'Windmill Lane', town: 'Slough', postcode: 'SL3 9QB' },
  LR100001: { number: '40', street: 'Bellwether Road', town: 'Derby', postcode: 'DE1 9QJ' },
  TC100001: { number: '6', street: 'Coopers Rise', town: 'Swindon', postcode: 'SN2 9QX' },
  LH100001: { flat: 'Flat 5', name: 'Harbour View', street: 'Marine Parade', town: 'Brighton', postcode: 'BN2 9QE' },
  AD100001: { number: '14', street: 'Kingfisher Rise', town: 'Cranbrook', county: 'Devon', postcode: 'EX5 7AD' },
  RC100001: { number: '31', street: 'Saltmarsh Lane', town: 'Portsmouth', postcode: 'PO1 9QS' },
  DD100001: { number: '11', street: 'Brewhouse Mews', town: 'Norwich', postcode: 'NR3 9QF' },
}

/** For a workspace without a title, or whose title is not found. */
export const ANY_ADDRESS: SecurityAddress = {
  number: '83',
  street: 'Fore Street',
  town: 'Exeter',
  county: 'Devon',
  postcode: 'EX4 3AN',
}
