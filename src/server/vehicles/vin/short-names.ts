/** Short dealer terms for the vPIC values. */
const BODIES: Readonly<Record<string, string>> = {
  'Cargo Van': 'Van',
  'Step Van / Walk-in Van': 'Van',
  'Convertible/Cabriolet': 'Convertible',
  'Crossover Utility Vehicle (CUV)': 'SUV',
  'Hatchback/Liftback/Notchback': 'Hatchback',
  'Sedan/Saloon': 'Sedan',
  'Sport Utility Truck (SUT)': 'Pickup',
  'Sport Utility Vehicle (SUV)/Multi-Purpose Vehicle (MPV)': 'SUV',
  'Low Speed Vehicle (LSV) / Neighborhood Electric Vehicle (NEV)': 'Low speed vehicle',
}
const FUELS: Readonly<Record<string, string>> = {
  'Compressed Hydrogen/Hydrogen': 'Hydrogen',
  'Compressed Natural Gas (CNG)': 'CNG',
  'Ethanol (E85)': 'E85',
  'Flexible Fuel Vehicle (FFV)': 'Flex fuel',
  'Fuel Cell': 'Hydrogen',
  'Liquefied Natural Gas (LNG)': 'LNG',
  'Liquefied Petroleum Gas (propane or LPG)': 'LPG',
}
const DRIVETRAINS: Readonly<Record<string, string>> = {
  '4WD/4-Wheel Drive/4x4': '4WD',
  'AWD/All-Wheel Drive': 'AWD',
  'FWD/Front-Wheel Drive': 'FWD',
  'RWD/Rear-Wheel Drive': 'RWD',
  '4x2': '2WD',
}
const ELECTRIFICATIONS: Readonly<Record<string, string>> = {
  BEV: 'electric',
  FCEV: 'fuel-cell',
  PHEV: 'plug-in',
  Mild: 'mild',
}
const LAYOUTS: Readonly<Record<string, string>> = {
  'In-Line': 'I',
  'V-Shaped': 'V',
  'W Shaped': 'W',
  'Horizontally opposed (boxer)': 'H',
}

/** Manufacturers' names for drivetrains. */
const DRIVE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(AWD|xDrive|quattro|4-?MATIC\+?|-4M|4MOTION|All[- ]Wheel Drive)(?![a-z])/i, 'AWD'],
  [/\b(4WD|4x4|4-Wheel Drive|Four[- ]Wheel Drive)\b/i, '4WD'],
  [/\b(FWD|Front[- ]Wheel Drive)\b/i, 'FWD'],
  [/\b(RWD|Rear[- ]Wheel Drive)\b/i, 'RWD'],
  [/\b(2WD|4x2|2-Wheel Drive)\b/i, '2WD'],
]
const ELECTRIC_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(plug-?in|PHEV|4xe|Prime|Energi)\b/i, 'plug-in'],
  [/\b(mild hybrid|MHEV)\b/i, 'mild'],
  [/\b(hybrid|HEV|FHEV)\b/i, 'hybrid'],
  [/\b(BEV|battery electric)\b/i, 'electric'],
]
const TRANSMISSION_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\be?CVT\b/, 'CVT'],
  [/\b(\d-speed )?(manual|\dMT)( trans\w*)?\b/i, 'Manual'],
  [/\b(automatic|\dAT|auto trans\w*)\b/i, 'Automatic'],
]

export const shortBody = (word: string): string => {
  const [first = word] = word.split(' - ')
  return BODIES[word] ?? (first === 'Motorcycle' || first === 'Off-road Vehicle' ? first : word)
}
export const shortFuel = (word: string): string => FUELS[word] ?? word
export const shortDrivetrain = (word: string): string => DRIVETRAINS[word] ?? word
/** Uses the first word of values such as `HEV (Hybrid Electric Vehicle) - Level Unknown`. */
export const shortElectrification = (word: string): string => {
  const [first = ''] = word.split(' ')
  return ELECTRIFICATIONS[first] ?? 'hybrid'
}

/** `3.5 L V6 turbo, GTDI`; null if nothing is known about the engine. */
export function describeEngine(of: {
  litres?: string | undefined
  cylinders?: string | undefined
  layout?: string | undefined
  isTurbo: boolean
  model?: string | undefined
}): string | null {
  const { litres, cylinders, layout, isTurbo, model } = of
  const block = cylinders === undefined ? '' : `${LAYOUTS[layout ?? ''] ?? ''}${cylinders}`
  const form = /^\d+$/.test(block) ? `${block} cylinders` : block
  const size = [litres === undefined ? '' : `${litres} L`, form, isTurbo ? 'turbo' : '']
  const words = [size.filter((word) => word !== '').join(' '), model ?? '']
  return words.filter((word) => word !== '').join(', ') || null
}

export const findDrivetrain = (text: string): NameMatch | null => findName(text, DRIVE_NAMES)
export const findElectrification = (text: string): NameMatch | null => findName(text, ELECTRIC_NAMES)
export const findTransmission = (text: string): NameMatch | null => findName(text, TRANSMISSION_NAMES)

type NameMatch = { value: string; word: string }

/** In a text with alternatives (`Base/Hybrid`), returns a value only if all of them agree. */
function findName(text: string, names: readonly (readonly [RegExp, string])[]): NameMatch | null {
  const found = text.split(/[/,;]/).map((part) => firstName(part, names))
  const [first = null] = found
  return found.every((one) => one?.value === first?.value) ? first : null
}

function firstName(text: string, names: readonly (readonly [RegExp, string])[]): NameMatch | null {
  for (const [name, value] of names) {
    const word = name.exec(text)?.[0]
    if (word !== undefined) return { value, word }
  }
  return null
}
