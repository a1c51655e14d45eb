import type { Schemas } from '../../../client/src/index.ts'
import { foldName } from '../ui/letters.ts'
import { type Details, nameOf, type Party, type Proprietor, type Row } from './names-rows.ts'

type Request = Schemas['TitleReconciliationRequest']

/** One thing that may be true of a row, with what follows from it. */
export type Answer = {
  /** Names the answer in an address and in a form. */
  value: string
  label: string
  /** The consequence, next to the label. */
  hint: string
  /** On the button that sends it. */
  button: string
  /** What changes, for the preview. */
  effects: string[]
  /** What is sent, one after the other. */
  steps: Step[]
}

export type Step = { patch: Request } | { removeRoleOf: string }

/** What the case and the register have already. */
export type CaseFacts = { isApproved: boolean; hasTransfer: boolean; isRestricted: boolean }

/** The answers to "What is true?" of a row. One that agrees has none, unless what made it agree can be undone. */
export function answersOf(row: Row, facts: CaseFacts): Answer[] {
  const answers = offered(row, facts)
  const withdrawn = facts.isApproved ? ['The approval of the case is withdrawn.'] : []
  return answers.map((answer) => ({ ...answer, effects: [...answer.effects, ...withdrawn] }))
}

function offered(row: Row, facts: CaseFacts): Answer[] {
  switch (row.kind) {
    case 'differs': {
      const { party, proprietor } = row
      return [orderIsWrong(party, proprietor), nameChanged(party, proprietor), twoPeople(party, proprietor, facts)]
    }
    case 'order only': {
      const { party, candidates } = row
      const known = candidates.flatMap((one) => [orderIsWrong(party, one), nameChanged(party, one)])
      return [...known, comes(party, facts)]
    }
    case 'register only':
      return [leaves(row.proprietor, facts)]
    case 'comes':
    case 'leaves':
      return [undoRole(row.party, row.kind)]
    case 'agrees':
      return undoRename(row.party, row.registered)
  }
}

function orderIsWrong(party: Party, { proprietorId, proprietorDetails, type }: Proprietor): Answer {
  const [ours, theirs] = [nameOf(party.partyDetails), nameOf(proprietorDetails)]
  const { partyId } = party
  return {
    value: `order-wrong.${partyId}.${proprietorId}`,
    label: `The order is wrong: the borrower is ${theirs}`,
    hint: 'The borrower is renamed. Nothing is added to the case.',
    button: 'Rename the borrower',
    effects: [`${ours} is called ${theirs} in this matter.`, 'Nothing is added to the case.'],
    steps: [{ patch: { action: 'UPDATE_PARTY_NAME', partyId, type, partyDetails: proprietorDetails } as Request }],
  }
}

function nameChanged(party: Party, { proprietorId, registeredDetails, type }: Proprietor): Answer {
  const [now, registered] = [nameOf(party.partyDetails), nameOf(registeredDetails)]
  const proof =
    type === 'INDIVIDUAL' ? 'a marriage certificate or a statutory declaration' : 'a certificate of Companies House'
  const patch = { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type, proprietorDetails: party.partyDetails }
  return {
    value: `name-changed.${party.partyId}.${proprietorId}`,
    label: `The name changed: ${registered} is now called ${now}`,
    hint: 'Adds a change of name to the case, which needs a certificate.',
    button: 'Add the change of name',
    effects: [
      `A change of name is added to the case: ${registered}, now ${now}.`,
      `Before approval it needs a document that proves it, such as ${proof}.`,
    ],
    steps: [{ patch: patch as Request }],
  }
}

// Who leaves goes first: a title has at most four proprietors.
function twoPeople(party: Party, proprietor: Proprietor, facts: CaseFacts): Answer {
  const [coming, leaving] = [comes(party, facts), leaves(proprietor, facts)]
  const [ours, theirs] = [nameOf(party.partyDetails), nameOf(proprietor.proprietorDetails)]
  return {
    value: `two-people.${party.partyId}.${proprietor.proprietorId}`,
    label: `They are two people: ${ours} becomes an owner, ${theirs} leaves`,
    hint: 'Adds a transfer of the property to the case.',
    button: 'Add the transfer',
    effects: [...new Set([...leaving.effects, ...coming.effects])],
    steps: [...leaving.steps, ...coming.steps],
  }
}

function comes({ partyId, partyDetails }: Party, facts: CaseFacts): Answer {
  const name = nameOf(partyDetails)
  return {
    value: `comes.${partyId}`,
    label: `${name} is not on the register and becomes an owner`,
    hint: 'Adds a transfer of the property to the case.',
    button: 'Add the transfer',
    effects: [`${name} comes to the title and needs representation.`, ...transferEffects(facts)],
    steps: [{ patch: { action: 'SET_AS_INCOMING_PROPRIETOR', partyId } }],
  }
}

function leaves({ proprietorId, proprietorDetails }: Proprietor, facts: CaseFacts): Answer {
  const name = nameOf(proprietorDetails)
  return {
    value: `leaves.${proprietorId}`,
    label: `${name} does not borrow and gives up ownership`,
    hint: 'Adds a transfer of the property to the case.',
    button: 'Add the transfer',
    effects: [`${name} leaves the title, becomes a party and needs representation.`, ...transferEffects(facts)],
    steps: [{ patch: { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId } }],
  }
}

function transferEffects({ hasTransfer, isRestricted }: CaseFacts): string[] {
  if (hasTransfer) return ['The transfer in the case covers it.']
  return [
    'A transfer of the whole property is added to the case. It needs its value and the deed (TR1).',
    ...(isRestricted ? ['An application to cancel the restriction on the register is added.'] : []),
  ]
}

function undoRole({ partyId, partyDetails }: Party, kind: 'comes' | 'leaves'): Answer {
  const name = nameOf(partyDetails)
  const effect =
    kind === 'comes' ? `${name} is an ordinary borrower again.` : `${name} is no longer a party and stays on the title.`
  return {
    value: `undo.${partyId}`,
    label: kind === 'comes' ? `${name} does not become an owner after all` : `${name} does not leave after all`,
    hint: 'Undoes the change. What it added to the case is withdrawn.',
    button: 'Undo it',
    effects: [effect, 'If nobody else comes or leaves, the transfer is withdrawn from the case.'],
    steps: [{ removeRoleOf: partyId }],
  }
}

// A company that is found by its number keeps its new name whatever is done.
function undoRename({ partyId, proprietorId, partyDetails, type }: Party, registered: Details | undefined): Answer[] {
  if (!registered || !proprietorId || type === 'ORGANISATION') return []
  const [now, before] = [nameOf(partyDetails), nameOf(registered)]
  if (foldName(now) === foldName(before)) return []
  const patch = { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type, proprietorDetails: registered }
  return [
    {
      value: `undo.${partyId}`,
      label: `The name did not change: ${before} is not ${now}`,
      hint: 'Undoes the change of name and compares the two again.',
      button: 'Undo the change of name',
      effects: [`${before} and ${now} are compared again.`, 'The change of name is withdrawn from the case.'],
      steps: [{ patch: patch as Request }],
    },
  ]
}
