import type { VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'

/** Makes in their official spelling. */
const MAKES =
  'Acura|Alfa Romeo|Aston Martin|Audi|Bentley|BMW|Bugatti|Buick|Cadillac|Chevrolet|Chrysler|Citro\u00ebn|Cupra|Dacia|Daewoo|Dodge|Ferrari|Fiat|Fisker|Ford|Freightliner|Genesis|GMC|Honda|Hummer|Hyundai|Infiniti|International|Isuzu|Jaguar|Jeep|Kia|Lamborghini|Lancia|Land Rover|Lexus|Lincoln|Lotus|Lucid|Maserati|Maybach|Mazda|McLaren|Mercedes-Benz|Mercury|MG|MINI|Mitsubishi|Nissan|Oldsmobile|Opel|Peugeot|Plymouth|Polestar|Pontiac|Porsche|Ram|Renault|Rivian|Rolls-Royce|Saab|Saturn|Scion|SEAT|\u0160koda|Smart|Subaru|Suzuki|Tesla|Toyota|Vauxhall|VinFast|Volkswagen|Volvo|Harley-Davidson|Kawasaki|Yamaha|Polaris|Ducati|Triumph|KTM|Can-Am'
const OTHER_MAKES: readonly (readonly [string, string])[] = [
  ['chevy', 'Chevrolet'],
  ['vw', 'Volkswagen'],
  ['mercedes', 'Mercedes-Benz'],
  ['dodgetruck', 'Dodge'],
  ['dodgeram', 'Ram'],
  ['ramtrucks', 'Ram'],
  ['skoda', '\u0160koda'],
  ['citroen', 'Citro\u00ebn'],
  ['landrover', 'Land Rover'],
  ['rangerover', 'Land Rover'],
]
export const MAKE_NAMES: readonly string[] = MAKES.split('|')
const makes = new Map<string, string>([
  ...MAKE_NAMES.map((make): [string, string] => [squeeze(make), make]),
  ...OTHER_MAKES,
])

type Spelling = readonly [canonical: string, words: RegExp]

/** Patterns for common spellings of each value. The first match wins. */
const SPELLINGS: Partial<Record<VehicleFieldName, readonly Spelling[]>> = {
  condition: [
    ['cpo', /certified|\bcpo\b|^c$/],
    ['demo', /demo|vorf\u00fchr|service loaner|courtesy|^d$/],
    [
      'used',
      /used|pre.?owned|pre.?loved|second.?hand|occasion|^u$|^p$|^usad[oa]$|^usato$|^gebraucht|^jahreswagen$/,
    ],
    ['new', /new|^n$|^nuovo$|^nuev[oa]$|^neu|^neuf/],
  ],
  body: [
    ['Convertible', /convertible|cabrio|roadster|spyder|spider|drop.?top/],
    ['Coupe', /coup[e\u00e9]/],
    ['Wagon', /wagon|estate|touring|kombi|avant|sportback/],
    ['Hatchback', /hatch|liftback|^[35]dr hb/],
    ['Minivan', /mini.?van|passenger van|people carrier|mpv/],
    ['Chassis', /chassis|cutaway|cab & chassis|incomplete/],
    [
      'Truck',
      /truck|pick.?up|crew.?cab|crewmax|supercrew|supercab|quad.?cab|extended cab|double.?cab|regular.?cab|access.?cab|mega.?cab|standard cab|^crew$/,
    ],
    ['SUV', /suv|s\.u\.v|sport.?utility|crossover|cuv|\butility\b/],
    ['Van', /\bvans?\b|cargo/],
    ['Sedan', /sedan|saloon|4dr car|berline|limousine/],
    ['Motorcycle', /motor.?cycle|motor.?bike|scooter/],
  ],
  fuel: [
    ['Plug-in hybrid', /plug.?in|phev/],
    ['Hybrid', /hybrid|hev|gas.{0,3}electric|electric.{0,3}gas/],
    ['Electric', /electri|elektr|\u00e9lectri|el\u00e9ctri|\bbev\b|^e$|^ev$|battery/],
    ['Hydrogen', /hydrogen|fuel.?cell|fcev/],
    ['Diesel', /diesel|di\u00e9sel|gasoil|gazole|^d$|tdi/],
    ['Flex fuel', /flex|e-?85|ethanol|^f$/],
    ['Natural gas', /natural gas|\bcng\b|\blpg\b|propane/],
    ['Gasoline', /\bgas|petrol|unleaded|^g$|^regular$|^premium$|essence|benzin|gasolina|nafta/],
  ],
  electrification: [
    ['plug-in', /plug.?in|phev/],
    ['mild', /mild|mhev/],
    ['hybrid', /hybrid|hev/],
    ['fuel-cell', /hydrogen|fuel.?cell|fcev/],
    ['electric', /electric|bev|^ev$/],
    ['none', /^(none|no|ice|gas|gasoline|diesel)$/],
  ],
  transmission: [
    // "6-Speed Manual with auto rev-match".
    ['Manual', /^(\d+.?(speed|spd|sp)?\W*)?manual\b/],
    ['CVT', /cvt|variable|continuous/],
    ['Dual clutch', /dual.?clutch|dct|dsg|pdk|double.?clutch|doppelkupplung/],
    ['Automatic', /auto(?!mated manual)|^a$|a\/t|shiftable|tiptronic|steptronic|\d.?a$|\d.?at$/],
    ['Manual', /manual|manuell|schalt(getriebe|er)|m\u00e9canique|stick|^m$|m\/t|\d.?m$|\d.?mt$|standard/],
    ['Automatic', /^\d+.?(speed|spd|sp)$|direct drive|single.?speed/],
  ],
  drivetrain: [
    ['AWD', /awd|allrad|int\u00e9grale|all.?wheel|quattro|4matic|x.?drive|4motion|sh-awd/],
    ['4WD', /4wd|four.?wd|4 ?x ?4|four.?wheel|4.?wheel/],
    ['FWD', /fwd|front/],
    ['RWD', /rwd|rear/],
    ['2WD', /2wd|4 ?x ?2|two.?wheel|2.?wheel/],
  ],
  genericColor: [
    ['Black', /black|schwarz|negro|ebony|onyx|obsidian|\bnoir\b|midnight/],
    ['White', /white|wei\u00df|weiss|blanco|ice cap|ivory|pearl(?! black)|\bblanc\b|snow/],
    ['Silver', /silver|silber|plata|alumin|platinum|chrome/],
    ['Gray', /gr[ae]y|grau|graphite|charcoal|granite|slate|gunmetal|titanium|steel|magnet|\bgris\b/],
    ['Red', /red|\brot\b|rojo|burgundy|maroon|ruby|cherry|crimson|scarlet|\brouge\b|garnet/],
    ['Blue', /blue|blau|azul|navy|azure|\bbleu\b|cobalt|indigo|sapphire/],
    ['Green', /green|gr\u00fcn|verde|olive|emerald|\bvert\b/],
    ['Brown', /brown|braun|marr[o\u00f3]n|bronze|mocha|espresso|chestnut|copper/],
    ['Beige', /beige|tan\b|cream|sand|khaki|champagne/],
    ['Gold', /gold/],
    ['Orange', /orange|tangerine/],
    ['Yellow', /yellow|gelb|amarillo|lemon/],
    ['Purple', /purple|violet|plum/],
  ],
}

/**
 * Our standard value for a value of a mapped field; null if there is none. Models have no standard spellings.
 */
export function canonicalValue(field: VehicleFieldName, value: string): string | null {
  if (field === 'make') return makes.get(squeeze(value)) ?? null
  const words = value.toLowerCase().trim()
  return SPELLINGS[field]?.find(([, spelling]) => spelling.test(words))?.[0] ?? null
}

function squeeze(value: string): string {
  return value
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}
