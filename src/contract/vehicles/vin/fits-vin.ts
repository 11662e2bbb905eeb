import type { VinFacts, VinField } from './vin.ts'

/** Fields compared between a vehicle and its VIN. */
export const COMPARED = [
  'year',
  'make',
  'model',
  'body',
  'fuel',
  'drivetrain',
] as const satisfies readonly VinField[]
export type ComparedField = (typeof COMPARED)[number]

/** Words in a model name that don't make it a different model. */
const HARMLESS = new Set(
  'hybrid plug in prime energi unlimited awd fwd rwd 4 wd 2 x hd hev phev ev class series wagon van cargo passenger pickup truck coupe sedan suv crew cab esv xl max'.split(
    ' ',
  ),
)
const MAKES: Readonly<Record<string, string>> = {
  vw: 'volkswagen',
  chevy: 'chevrolet',
  mercedes: 'mercedesbenz',
}

type Kinds = readonly (readonly [kind: string, words: RegExp])[]
const BODIES: Kinds = [
  ['pickup', /pick-?up|crew cab|quad cab|double cab|king cab|supercab|super ?crew|sport utility truck/i],
  ['van', /van\b|caravan|cutaway/i],
  // One manufacturer files as a wagon or hatchback what another sells as a crossover.
  ['roomy', /suv|sport utility|crossover|cuv|wagon|estate|hatch|liftback/i],
  ['open', /convertible|cabrio|roadster|spyder|spider/i],
  ['coupe', /coup[eé]/i],
  ['sedan', /sedan|saloon/i],
  ['motorcycle', /motor ?cycle|motorbike/i],
]
const FUELS: Kinds = [
  ['hybrid', /hybrid|hev\b/i],
  ['electric', /electric|\bbev\b|\bev\b/i],
  ['diesel', /diesel|^d$/i],
  ['hydrogen', /hydrogen|fuel cell/i],
  ['gas', /\bcng\b|\blng\b|\blpg\b|natural gas|propane/i],
  ['gasoline', /gas|petrol|unleaded|flex|e85|ethanol|^g$/i],
]
const DRIVETRAINS: Kinds = [
  ['all', /awd|4wd|4x4|all[- ]wheel|four[- ]wheel|4[- ]wheel|quattro|4matic|xdrive|4motion/i],
  ['front', /fwd|front/i],
  ['rear', /rwd|rear/i],
  ['two', /2wd|4x2|two[- ]wheel/i],
]

/**
 * Whether a vehicle's value agrees with its decoded VIN. Also true if the VIN has no value or the words aren't
 * recognized, so that only real differences are reported. Makes and models are compared without case and punctuation.
 */
export function fitsVin(field: ComparedField, own: string | number, values: VinFacts['values']): boolean {
  const decoded = values[field]?.value
  const written = String(own).trim()
  if (decoded === undefined || written === '') return true
  if (field === 'year') return written === decoded
  if (field === 'make') return isSameMake(written, decoded)
  if (field === 'model') return isSameModel(written, values)
  if (field === 'body') return isSameKind(BODIES, written, decoded)
  if (field === 'drivetrain') return fitsDrivetrain(written, decoded)
  return fitsFuel(written, decoded, values.electrification?.value)
}

function isSameMake(own: string, decoded: string): boolean {
  const [one, other] = [own, decoded].map((make) => {
    const plain = make
      .toLowerCase()
      .replace(/[^\p{L}\d]/gu, '')
      .replace(/trucks?$/, '')
    return MAKES[plain] ?? plain
  })
  return one === other
}

function isSameModel(own: string, values: VinFacts['values']): boolean {
  const [model = '', series = '', trim = ''] = [values.model, values.series, values.trim].map(
    (one) => one?.value,
  )
  const written = wordsOf(withoutMake(own, values.make?.value ?? ''))
  return [model, series, `${model} ${series}`, `${model} ${trim}`].some(
    (name) => name.trim() !== '' && isSameName(written, wordsOf(withoutMake(name, values.make?.value ?? ''))),
  )
}

/** `Ram Pickup 1500` with the make Ram is a `1500`. */
function withoutMake(model: string, make: string): string {
  const [first = ''] = make.toLowerCase().split(/[\s-]/)
  const rest = model.toLowerCase().startsWith(`${first} `) ? model.slice(first.length + 1) : model
  return rest.replace(/^pickup /i, '')
}

/** Splits letters and digits, so that `F-150` and `f150`, or `325i` and `325 i`, are equal. */
const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .match(/\p{L}+|\d+/gu) ?? []

/** True if one name starts with the other and adds no word that makes it a different model, such as Bronco Sport. */
function isSameName(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length === 0 || short.some((word, at) => word !== long[at])) return false
  return long.slice(short.length).every((word) => HARMLESS.has(word) || /^(\d{3,4}|\p{L})$/u.test(word))
}

function kindOf(kinds: Kinds, words: string): string | null {
  return kinds.find(([, pattern]) => pattern.test(words))?.[0] ?? null
}

function isSameKind(kinds: Kinds, own: string, decoded: string): boolean {
  const [one, other] = [kindOf(kinds, own), kindOf(kinds, decoded)]
  return one === null || other === null || one === other
}

function fitsDrivetrain(own: string, decoded: string): boolean {
  const both = [kindOf(DRIVETRAINS, own), kindOf(DRIVETRAINS, decoded)]
  if (both.includes('two')) return !both.includes('all')
  return isSameKind(DRIVETRAINS, own, decoded)
}

/** Few manufacturers file that a vehicle is a hybrid, so a missing value doesn't count as "not a hybrid". */
function fitsFuel(own: string, decoded: string, electrification: string | undefined): boolean {
  const [one, other] = [kindOf(FUELS, own), kindOf(FUELS, decoded)]
  if (one === 'hybrid') return other !== 'electric' || electrification !== 'electric'
  return one === null || other === null || one === other
}
