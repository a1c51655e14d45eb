import {
  aDeed,
  aDocument,
  aForm,
  anApplication,
  type Case,
  CERTIFIED,
  EVIDENCED,
  ready,
  represented,
  rule,
  without,
} from '../../test/fixtures/readiness.ts'

const DIGITAL = { mortgageDeedReferenceType: 'DIGITAL' } as const
const proving = (...ids: string[]) => ids.map((partyId) => represented(partyId, EVIDENCED))
const withForms = (...documents: ReturnType<typeof aForm>[]) => [aDeed({ documents })]

rule('required-identity-evidence-provided', [
  ['a case where nobody needs one', ready(), [], ['applications']],
  ['none of one', ready({ representations: proving('party 1') }), ['applications'], []],
  [
    'one of one',
    ready({ representations: proving('party 1'), applications: withForms(aForm()) }),
    [],
    ['applications'],
  ],
  [
    'one of two',
    ready({ representations: proving('party 1', 'party 2'), applications: withForms(aForm()) }),
    ['applications'],
    [],
  ],
  [
    'two of two, on two applications',
    ready({
      representations: proving('party 1', 'party 2'),
      applications: [aDeed({ documents: [aForm()] }), anApplication('DISCHARGE', { documents: [aForm()] })],
    }),
    [],
    ['applications'],
  ],
  ['more than are needed', ready({ applications: withForms(aForm(), aForm()) }), [], ['applications']],
  ['whom the firm certifies', ready({ representations: [represented('party 1', CERTIFIED)] }), [], ['applications']],
  ['a party that is gone', ready({ representations: proving('party 9') }), [], ['applications']],
  [
    'forms that do not count',
    ready({
      representations: proving('party 1'),
      applications: [
        aDeed({
          documents: [
            aForm({ status: 'PENDING' }),
            aForm({ status: 'FAILED' }),
            aForm({ status: 'WITHDRAWN' }),
            aForm({ documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' }),
          ],
        }),
        anApplication('TRANSFER_OF_WHOLE', { status: 'WITHDRAWN', documents: [aForm()] }),
      ],
    }),
    ['applications'],
    [],
  ],
])

rule('all-mandatory-documents-provided', [
  ['a deed with its document, and a discharge without', ready(), [], ['applications[0].file', 'applications[1].file']],
  ['a deed without', ready({ applications: [aDeed({ documents: [] })] }), ['applications[0].file'], []],
  [
    'one that still waits, failed, or was withdrawn or superseded',
    ready({
      applications: [
        aDeed({ documents: [aDocument('MORTGAGE_DEED', { status: 'PENDING' })] }),
        aDeed({ documents: [aDocument('MORTGAGE_DEED', { status: 'FAILED' })] }),
        aDeed({ documents: [aDocument('MORTGAGE_DEED', { status: 'WITHDRAWN' })] }),
        aDeed({ documents: [aDocument('MORTGAGE_DEED', { supersededBy: 'another' })] }),
      ],
    }),
    ['applications[0].file', 'applications[1].file', 'applications[2].file', 'applications[3].file'],
    [],
  ],
  [
    'one that only supports it',
    ready({
      applications: [aDeed({ documents: [aDocument('MORTGAGE_DEED', { documentCategory: 'SUPPORTING_DOCUMENT' })] })],
    }),
    ['applications[0].file'],
    [],
  ],
  [
    'one of a type that is no main document',
    ready({ applications: [aDeed({ documents: [aDocument('EVIDENCE')] })] }),
    ['applications[0].file'],
    [],
  ],
  [
    'a deed uploaded before it became digital, and not the one uploaded after it',
    ready({
      applications: [
        aDeed({ ...DIGITAL, documents: [aDocument('MORTGAGE_DEED', { precedesDigital: true })] }),
        aDeed({ documents: [aDocument('MORTGAGE_DEED', { precedesDigital: true })] }),
        aDeed({
          ...DIGITAL,
          documents: [
            aDocument('MORTGAGE_DEED', { precedesDigital: true, supersededBy: 'another' }),
            aDocument('MORTGAGE_DEED'),
          ],
        }),
      ],
    }),
    ['applications[0].file'],
    ['applications[1].file', 'applications[2].file'],
  ],
  [
    'a newer one that waits, for the older still counts',
    ready({
      applications: [
        aDeed({ documents: [aDocument('MORTGAGE_DEED'), aDocument('MORTGAGE_DEED', { status: 'PENDING' })] }),
      ],
    }),
    [],
    ['applications[0].file'],
  ],
  [
    'change of name, transfer and restriction without, but not one that is withdrawn',
    ready({
      applications: [
        anApplication('CHANGE_OF_NAME', { status: 'WITHDRAWN' }),
        anApplication('CHANGE_OF_NAME'),
        anApplication('TRANSFER_OF_WHOLE'),
        anApplication('CANCEL_A_RESTRICTION'),
      ],
    }),
    ['applications[1].file', 'applications[2].file', 'applications[3].file'],
    [],
  ],
])

const deedIs = (deed: ReturnType<typeof aDeed>) => ready({ applications: [anApplication('DISCHARGE'), deed] })

rule('charge-must-have-non-negative-value', [
  ['a value', deedIs(aDeed()), [], ['applications[1].transactionValue']],
  ['nothing: 0 is a value', deedIs(aDeed({ transactionValuePence: 0 })), [], ['applications[1].transactionValue']],
  ['none', deedIs(without(aDeed(), 'transactionValuePence')), ['applications[1].transactionValue'], []],
])

const transferIs = (value: object) => ready({ applications: [aDeed(), anApplication('TRANSFER_OF_WHOLE', value)] })

rule('transfer-must-have-value', [
  ['a case without a transfer', ready(), [], []],
  ['a transfer without', transferIs({}), ['applications[1].transactionValue'], []],
  ['one of 0', transferIs({ transactionValuePence: 0 }), [], ['applications[1].transactionValue']],
  ['one that is withdrawn', transferIs({ status: 'WITHDRAWN' }), [], []],
])

const referred = (mortgageDeedReferenceType: 'PAPER' | 'DIGITAL', mortgageDeedReference: string) =>
  deedIs(aDeed({ mortgageDeedReferenceType, mortgageDeedReference }))
const REFERENCE = 'applications[1].mortgageDeedReference'

rule('mdref-on-record', [
  ...['MD431C', 'MD1234X'].map((one): Case => [`${one} on paper`, referred('PAPER', one), [], [REFERENCE]]),
  ...['e-MD431C', 'e-MD1234X'].map(
    (one): Case => [`${one} of a digital deed`, referred('DIGITAL', one), [], [REFERENCE]],
  ),
  ...['e-MD431C', 'MD12X', 'MD12345X', 'MD431', 'md431c', 'MD431CC', 'xMD431C'].map(
    (one): Case => [`${one} on paper`, referred('PAPER', one), [REFERENCE], []],
  ),
  ...['MD431C', 'E-MD431C', 'e-MD12X', 'e-MD12345X', 'eMD431C'].map(
    (one): Case => [`${one} of a digital deed`, referred('DIGITAL', one), [REFERENCE], []],
  ),
  ['a deed without a reference', deedIs(without(aDeed(), 'mortgageDeedReference')), [REFERENCE], []],
  ['a deed of no type', deedIs(without(aDeed(), 'mortgageDeedReferenceType')), [`${REFERENCE}Type`], []],
  [
    'a deed of neither, once: the type comes first',
    deedIs(without(aDeed(), 'mortgageDeedReference', 'mortgageDeedReferenceType')),
    [`${REFERENCE}Type`],
    [],
  ],
])

const EFFECTIVE = 'applications[1].isEffective'

rule('deed-is-effective', [
  ['paper', deedIs(aDeed()), [], [EFFECTIVE]],
  ['paper that is said not to be', deedIs(aDeed({ isEffective: false })), [], [EFFECTIVE]],
  ['a digital deed that is', deedIs(aDeed({ ...DIGITAL, isEffective: true })), [], [EFFECTIVE]],
  ['a digital deed of which nobody said so', deedIs(aDeed(DIGITAL)), [EFFECTIVE], []],
  ['a digital deed that is not', deedIs(aDeed({ ...DIGITAL, isEffective: false })), [EFFECTIVE], []],
])
