import type { AskedVehicle } from '#contract/leads/inbox/leads.ts'
import { ownWords } from '../adf/own-words.ts'
import type { NewPerson } from '../people/match-person.ts'
import type { NewContact } from '../people/person-contacts.ts'

/** Whose inquiry an email of a form or portal is, and about which vehicle. */
export type MailLabels = Readonly<{ person: NewPerson; askedVehicle: AskedVehicle | null }>

type Label =
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'postalCode'
  | 'vehicle'
  | 'year'
  | 'make'
  | 'model'
  | 'vin'
  | 'stock'

/** The labels that forms and portals write before a value. */
const LABELS: readonly (readonly [RegExp, Label])[] = [
  [/^(?:your |customer |buyer |contact |full )?name$/, 'name'],
  [/^(?:first|given) name$/, 'firstName'],
  [/^(?:last|family) name$|^surname$/, 'lastName'],
  [/^(?:your |customer |buyer |contact )?e-?mail(?: address)?$/, 'email'],
  [
    /^(?:your |customer |buyer |contact |mobile |cell |home |work |office |day |daytime |evening )?(?:phone|telephone)(?: number)?$|^(?:mobile|cell|tel)$/,
    'phone',
  ],
  [/^(?:zip|postal)(?: code)?$/, 'postalCode'],
  [/^vehicle(?: of interest)?$|^car$|^interested in$/, 'vehicle'],
  [/^(?:vehicle |model )?year$/, 'year'],
  [/^(?:vehicle )?make$/, 'make'],
  [/^(?:vehicle )?model$/, 'model'],
  [/^vin(?: number)?$/, 'vin'],
  [/^stock(?: number| no\.?| #|#)?$/, 'stock'],
]
const MAX_LINES = 300

/** Null unless the text names a buyer and how to reach them, each on a line of its own. */
export function labelsInMail(text: string | null): MailLabels | null {
  if (text === null) return null
  const own = ownWords(text)
  const found = new Map<Label, string>()
  const contacts: NewContact[] = []
  for (const line of own.split('\n', MAX_LINES)) {
    const [, label = '', value = ''] =
      /^\s*[*\-•]?\s*([A-Za-z][A-Za-z .#-]{1,30}?)\s*\*?\s*[:=]\s*(\S.{0,300})$/.exec(line) ?? []
    const known = LABELS.find(([words]) => words.test(label.toLowerCase()))?.[1]
    if (known !== undefined && !found.has(known)) found.set(known, value.trim())
    if (known === 'phone')
      contacts.push({ kind: 'phone', value: value.trim().slice(0, 40), label: phoneLabelOf(label) })
    const address = known === 'email' ? addressIn(value) : null
    if (address !== null) contacts.push({ kind: 'email', value: address, label: null })
  }
  const get = (label: Label, length: number) => found.get(label)?.slice(0, length) ?? null
  const email = addressIn(get('email', 300) ?? '')
  const phone = get('phone', 40)
  const [name, firstName, lastName] = [get('name', 200), get('firstName', 100), get('lastName', 100)]
  const isNamed = name !== null || firstName !== null || lastName !== null
  if (!isNamed || (email === null && phone === null)) return null
  return {
    person: { name, firstName, lastName, email, phone, contacts, postalCode: get('postalCode', 16) },
    askedVehicle: vehicleOf(get),
  }
}

const addressIn = (text: string): string | null =>
  /[^\s<>"():]+@[^\s<>"():]+\.[a-z]{2,}/i.exec(text)?.[0] ?? null

function phoneLabelOf(label: string): NewContact['label'] {
  if (/mobile|cell/i.test(label)) return 'mobile'
  if (/home/i.test(label)) return 'home'
  return /work|office/i.test(label) ? 'work' : null
}

/** Makes of two words. */
const MAKES = /^(?:alfa romeo|aston martin|land rover|range rover|rolls[- ]royce|mercedes benz)\b/i

function vehicleOf(get: (label: Label, length: number) => string | null): AskedVehicle | null {
  const [vin, stock] = [get('vin', 17), get('stock', 40)]
  const [, year = get('year', 4), rest = ''] =
    /^((?:19|20)\d\d)\s+(.{1,200})$/.exec(get('vehicle', 205) ?? '') ?? []
  const make = get('make', 60) ?? (MAKES.exec(rest)?.[0] || rest.split(/\s+/)[0] || null)
  const model = get('model', 100) ?? (rest.slice(make?.length ?? 0).trim() || null)
  const vehicle = {
    vin,
    stock,
    year: year !== null && /^\d{4}$/.test(year) ? Number(year) : null,
    make,
    model,
  }
  return Object.values(vehicle).some((value) => value !== null) ? vehicle : null
}
