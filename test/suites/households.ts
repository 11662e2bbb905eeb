import { isPlaceholderPhone } from '#contract/leads/people/placeholders.ts'

/** Someone who sends one or more leads. */
export type Buyer = Readonly<{
  sent: readonly Readonly<{ name?: string; emails: string[]; phones: string[]; vehicle: string }>[]
}>

const FIRST_NAMES = [
  'Mark',
  'Mary',
  'Jean',
  'Joan',
  'Maria',
  'Mario',
  'Jin',
  'Jae',
  'Olivia',
  'Sean',
  'Ann',
  'Anna',
]
const LAST_NAMES = ['Hall', 'Roy', 'Lopez', 'Park', 'Brien', 'O’Brien', 'Bell', 'Smith']
const NOBODYS = ['555-555-5555', '000-000-0000', '123-456-7890', '(999) 999-9999']
const PROGRAMS = ['noreply@portal.example', 'test@test.example', 'leads@portal.example', 'none@none.example']
const MODELS = ['Escape', 'Ranger', 'Bronco', 'F-150']

/**
 * Households of two to four people who share a phone, an address or both, or a placeholder; some send a second lead. `from`: the
 * number of the first, so that another call makes others.
 */
export function households(count: number, from = 0): Buyer[][] {
  return Array.from({ length: count }, (_, index) => makeHousehold(from + index))
}

function makeHousehold(number: number): Buyer[] {
  const pick = <T>(list: readonly T[], at: number): T => {
    const one = list[at % list.length]
    if (one === undefined) throw new Error('The list is empty.')
    return one
  }
  const family = pick(LAST_NAMES, number * 3)
  const phone = `(530) 422-${String(number).padStart(4, '0')}`
  const email = `family.${number}@home.example`
  const size = 2 + (number % 3)
  return Array.from({ length: size }, (_, at): Buyer => {
    const first = pick(FIRST_NAMES, number + at)
    // Every fifth has an initial only; one of another family name lives there as well.
    const given = number % 5 === 0 && at === 1 ? (first[0] ?? '') : first
    const name = `${given} ${number % 4 === 0 && at === 0 ? pick(LAST_NAMES, number * 3 + 1) : family}`
    const own = `${first}.${number}.${at}@own.example`.toLowerCase()
    const shared = [
      { emails: [own], phones: [phone] },
      { emails: [email], phones: [] },
      { emails: [email], phones: [phone] },
      { emails: [pick(PROGRAMS, number)], phones: [pick(NOBODYS, number + at)] },
      { emails: [own], phones: [pick(NOBODYS, number), phone] },
    ]
    const contact = pick(shared, number)
    const isKnown = contact.emails[0] === own
    const vehicle = pick(MODELS, at)
    const one = { name, ...contact, vehicle }
    // Known by their own address, they bring another number.
    const again = {
      ...one,
      phones: [`(530) 423-${String(number * 4 + at).padStart(4, '0')}`],
      vehicle: 'Edge',
    }
    return { sent: isKnown && at === 0 ? [one, again] : [one] }
  })
}

type Read = Readonly<{
  id: string
  personId: string
  status: string
  duplicateOfId: string | null
  contacts: readonly { value: string }[]
}>

/** What is wrong with the leads of a household, in the order in which they were sent. */
export function householdProblems(household: readonly Buyer[], read: readonly Read[]): string[] {
  const owners = household.flatMap(({ sent }, buyer) => sent.map((one) => ({ buyer, one })))
  const people = new Map<number, string>()
  return owners.flatMap(({ buyer, one }, at) => {
    const lead = read[at]
    if (lead === undefined) return [`${one.name} has no lead`]
    const known = people.get(buyer)
    people.set(buyer, lead.personId)
    const others = [...people].filter(([other, id]) => other !== buyer && id === lead.personId)
    // A placeholder for a number is no number: the reader keeps it with the rest of the document.
    const given = [...one.emails, ...one.phones.filter((phone) => !isPlaceholderPhone(phone))]
    const lost = given.filter((value) => !lead.contacts.some((contact) => contact.value === value))
    return [
      ...(known !== undefined && known !== lead.personId ? [`${one.name} is two people`] : []),
      ...others.map(() => `${one.name} is someone else`),
      ...(lead.status === 'delivered' && lead.duplicateOfId === null
        ? []
        : [`${one.name} is ${lead.status}`]),
      ...lost.map((value) => `${value} of ${one.name} is lost`),
    ]
  })
}
