// Names as the lender gives them and as the register holds them, and when two of them are the same name.
// What is folded here links a borrower to a proprietor with nobody looking, so it folds only ways of writing one
// name down, never one name into another: no nicknames, and no title that parents also give as a forename.
import type { Individual, Name, Organisation } from '../workspaces/names.ts'

/** A name on the register, with the other names that the register gives for the same owner. */
export type Registered<N extends Name = Name> = N & { aliases?: readonly string[] }

/** Equal after normalising. Where two organisations both give a registration number, it decides. */
export function isSameName(a: Name, b: Name): boolean {
  if (a.type === 'INDIVIDUAL') return b.type === 'INDIVIDUAL' && isSameIndividual(a, b)
  return b.type === 'ORGANISATION' && isSameOrganisation(a, b)
}

/** The same words, whatever the number: a company that takes another name keeps its number. */
export const isSameWording = (a: Name, b: Name): boolean => isSameName(withoutNumber(a), withoutNumber(b))

export function normaliseIndividual({ type, forenames, surname }: Individual): Individual {
  return {
    type,
    forenames: withoutHonorifics(normalise(forenames)),
    surname: withoutDecorations(normalise(surname)),
  }
}

export function normaliseOrganisation({ type, organisationName, registrationNumber }: Organisation): Organisation {
  const number = normaliseRegistrationNumber(registrationNumber ?? '')
  const named = { type, organisationName: foldLegalForms(normalise(organisationName)) }
  return number === '' ? named : { ...named, registrationNumber: number }
}

/** One spelling for everything that Unicode, a keyboard or a printed form may write in several ways. */
export function normalise(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase() // nearly all, and each is compared with many
  const folded = foldCase(foldCase(text.normalize('NFD').replace(APOSTROPHES, "'")).normalize('NFKD'))
  return folded
    .normalize('NFKD')
    .replace(ACCENTS_AND_INVISIBLES, '')
    .replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter as keyof typeof PLAIN_LETTERS])
    .replace(APOSTROPHES, "'")
    .replaceAll('&', ' and ')
    .replace(GAPS, ' ')
    .trim()
    .normalize('NFC')
}

const withoutNumber = (name: Name): Name =>
  name.type === 'ORGANISATION' ? { type: name.type, organisationName: name.organisationName } : name

/** A company's number: seven digits in the wild are eight with a zero in front. */
function normaliseRegistrationNumber(text: string): string {
  const number = normalise(text)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
  return /^\d+$/.test(number) ? number.replace(/^0+/, '').padStart(8, '0') : number
}

function isSameIndividual(a: Individual, b: Individual): boolean {
  const [one, other] = [normaliseIndividual(a), normaliseIndividual(b)]
  return hasSameLetters(one.surname, other.surname) && hasSameLetters(one.forenames, other.forenames)
}

function isSameOrganisation(a: Organisation, b: Organisation): boolean {
  const [one, other] = [normaliseOrganisation(a), normaliseOrganisation(b)]
  return one.registrationNumber !== undefined && other.registrationNumber !== undefined
    ? one.registrationNumber === other.registrationNumber
    : hasSameLetters(one.organisationName, other.organisationName)
}

/** De Souza, De-Souza and DeSouza are one name: where the space goes is the clerk's choice. For normalised text. */
export const hasSameLetters = (a: string, b: string): boolean => a.replaceAll(' ', '') === b.replaceAll(' ', '')

// Up and down again, for letters such as ß, ı and the final ς that only one of the two directions brings together.
const foldCase = (text: string) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** Of what follows, these need the folding of case alone. */
const PLAIN = /^(?:[A-Za-z]+(?: [A-Za-z]+)*)?$/

const APOSTROPHES = /[`´‘’‛′ʹʻʼʽʾʿˈ]/gu

// The accents that scripts share, but not the two that make another syllable in Japanese; nor the vowel signs of the
// Indian scripts, which are letters in all but name.
const ACCENTS_AND_INVISIBLES = /[[\p{Mn}&&\p{Script=Inherited}]--[\u3099\u309a]]|\p{Default_Ignorable_Code_Point}/gv

const GAPS = /[[\p{White_Space}\p{Cc}\p{Dash}\p{P}]--['@#%*]]+/gv

// Letters that Unicode does not take apart.
const PLAIN_LETTERS = { æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ł: 'l', ŧ: 't', ŋ: 'n', ĸ: 'k' }
const PLAIN_LETTER = new RegExp(Object.keys(PLAIN_LETTERS).join('|'), 'gu')

/** Takes "dr" from "dr joan", and leaves it to a Dr who has no other forename. */
const withoutHonorifics = (forenames: string) => forenames.replace(HONORIFICS, '')

/** Takes "obe" and "o b e" from behind a surname, of which at least a word stays. */
const withoutDecorations = (surname: string) => surname.replace(DECORATIONS, '')

// Earl, Prince, Major and Hon are forenames too; KC, Om and Ma are surnames, and M P or J P may be initials: they stay.
const HONORIFICS =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|doctor|prof|professor|sir|dame|lord|lady|cllr|(?:the )?rev(?:d|erend)?|(?:the |rt |right )+hon(?:ourable)?) )+/
const DECORATION =
  'obe mbe cbe kbe dbe gbe bem kcb dcb gcb cmg kcmg dcmg gcmg cvo kcvo dcvo gcvo lvo mvo dso dsc dfc phd'
    .replace(/\B/g, ' ?')
    .replace(/ (?=\w)/g, '|')
const DECORATIONS = new RegExp(`(?: (?:${DECORATION}))+$`)

/** "The A.B.C. Holding Company Limited" and "ABC Holding Co Ltd" are one name; without its "Ltd" it is another. */
function foldLegalForms(name: string): string {
  const bare = name.replaceAll("'", '').replace(/ +/g, ' ').trim()
  const joined = bare.replace(LETTERS_APART, (letters) => letters.replaceAll(' ', ''))
  return LEGAL_FORMS.reduce((text, [long, short]) => text.replaceAll(long, short), joined).replace(/^(?:the )+/, '')
}

const LETTERS_APART = /(?<!\S)\p{L}(?: \p{L})+(?!\S)/gu

const LEGAL_FORMS = Object.entries({
  limited: 'ltd',
  company: 'co',
  'public ltd co': 'plc',
  'ltd liability partnership': 'llp',
  'ltd partnership': 'lp',
  'community interest co': 'cic',
  cyfyngedig: 'cyf',
  'cwmni cyf cyhoeddus': 'ccc',
  'partneriaeth atebolrwydd cyf': 'pac',
}).map(([long, short]) => [new RegExp(`(?<!\\S)${long}(?!\\S)`, 'g'), short] as const)
