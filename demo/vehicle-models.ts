/** A current model with the MSRP of each trim in whole currency units. */
export type DemoModel = {
  make: string
  model: string
  /** The first eight characters of its VINs: the manufacturer code and five that identify the model. */
  vin: string
  /** The same for the previous generation, with its last model year. */
  before?: { year: number; vin: string }
  body: string
  trims: readonly (readonly [name: string, msrp: number])[]
  fuel: string
  transmission?: string
  drivetrains: readonly string[]
}

/** VINs of previous generations. */
const BEFORE: Readonly<Record<string, { year: number; vin: string }>> = {
  'F-150': { year: 2023, vin: '1FTEW1E8' },
  Explorer: { year: 2024, vin: '1FMSK8DH' },
  Nautilus: { year: 2023, vin: '2LMPJ8JP' },
  Camry: { year: 2024, vin: '4T1G11AK' },
  Tacoma: { year: 2023, vin: '3TMCZ5AN' },
  Tundra: { year: 2021, vin: '5TFDY5F1' },
  Civic: { year: 2021, vin: '2HGFC2F6' },
  Accord: { year: 2022, vin: '1HGCV1F1' },
  'Accord Hybrid': { year: 2022, vin: '1HGCV3F1' },
  'CR-V': { year: 2022, vin: '2HKRW2H5' },
  'CR-V Hybrid': { year: 2022, vin: '7FART6H8' },
  Pilot: { year: 2022, vin: '5FNYF6H5' },
  Outback: { year: 2019, vin: '4S4BSANC' },
  Forester: { year: 2024, vin: 'JF2SKAEC' },
  'Silverado 1500': { year: 2024, vin: '1GCPDDEK' },
  Equinox: { year: 2024, vin: '3GNAXUEG' },
}

/** Models that the demo dealers sell new, and models of typical trade-ins. */
export const DEMO_MODELS: readonly DemoModel[] = [
  ...of('Ford', [
    ['F-150', '1FTEW3L8', 'Pickup', { XL: 41_300, XLT: 47_900, Lariat: 62_600 }, 'Gasoline', ['4WD', 'RWD']],
    [
      'Explorer',
      '1FMUK8DH',
      'SUV',
      { Active: 41_200, 'ST-Line': 46_500, Platinum: 55_900 },
      'Gasoline',
      ['AWD', 'RWD'],
    ],
    ['Escape', '1FMCU9GD', 'SUV', { Active: 31_100, 'ST-Line': 34_600 }, 'Gasoline', ['AWD', 'FWD']],
    ['Escape Hybrid', '1FMCU9EZ', 'SUV', { 'ST-Line': 36_200, Platinum: 40_500 }, 'Hybrid', ['AWD']],
    ['Maverick', '3FTTW8E3', 'Pickup', { XL: 28_600, XLT: 31_300, Lobo: 36_900 }, 'Hybrid', ['FWD', 'AWD']],
    ['Mustang', '1FA6P8TH', 'Coupe', { EcoBoost: 34_100, GT: 44_900 }, 'Gasoline', ['RWD']],
    [
      'Mustang Mach-E',
      '3FMTK3SU',
      'SUV',
      { Select: 39_900, Premium: 44_500, GT: 55_500 },
      'Electric',
      ['AWD', 'RWD'],
    ],
    ['Transit', '1FTBR1C8', 'Van', { 'T-150': 49_700, 'T-250': 51_900 }, 'Gasoline', ['RWD', 'AWD']],
  ]),
  ...of('Lincoln', [
    ['Nautilus', '5LMPJ8JA', 'SUV', { Premiere: 53_900, Reserve: 61_200 }, 'Gasoline', ['AWD']],
    ['Aviator', '5LM5J7XC', 'SUV', { Premiere: 60_100, Reserve: 68_500 }, 'Gasoline', ['AWD']],
  ]),
  ...of('Toyota', [
    ['Camry', '4T1DAACK', 'Sedan', { LE: 29_600, SE: 31_900, XSE: 36_100 }, 'Hybrid', ['FWD', 'AWD']],
    ['Corolla', '5YFB4MDE', 'Sedan', { LE: 23_500, SE: 26_000 }, 'Gasoline', ['FWD']],
    ['RAV4', '2T3P1RFV', 'SUV', { LE: 31_300, XLE: 32_800, Limited: 38_900 }, 'Gasoline', ['AWD', 'FWD']],
    ['RAV4 Hybrid', '4T3B6RFV', 'SUV', { LE: 33_900, XLE: 35_400, Limited: 42_000 }, 'Hybrid', ['AWD']],
    [
      'Highlander',
      '5TDKDRBH',
      'SUV',
      { LE: 41_000, XLE: 44_500, Platinum: 53_700 },
      'Gasoline',
      ['AWD', 'FWD'],
    ],
    [
      'Tacoma',
      '3TYLB5JN',
      'Pickup',
      { SR: 33_900, SR5: 38_500, 'TRD Off-Road': 43_900 },
      'Gasoline',
      ['4WD', 'RWD'],
    ],
    ['Tundra', '5TFLA5DB', 'Pickup', { SR5: 47_900, Limited: 56_800 }, 'Gasoline', ['4WD']],
    ['bZ4X', 'JTMABACA', 'SUV', { XLE: 39_400, Limited: 44_300 }, 'Electric', ['AWD', 'FWD']],
  ]),
  ...of('Honda', [
    ['Civic', '2HGFE2F5', 'Sedan', { LX: 25_400, Sport: 27_400, Touring: 32_900 }, 'Gasoline', ['FWD']],
    ['Accord', '1HGCY1F3', 'Sedan', { LX: 29_400, SE: 31_700, EX: 32_300 }, 'Gasoline', ['FWD']],
    ['Accord Hybrid', '1HGCY2F6', 'Sedan', { Sport: 34_900, Touring: 40_300 }, 'Hybrid', ['FWD']],
    ['CR-V', '2HKRS4H7', 'SUV', { LX: 32_000, EX: 34_200, 'EX-L': 36_900 }, 'Gasoline', ['AWD', 'FWD']],
    ['CR-V Hybrid', '2HKRS6H9', 'SUV', { Sport: 36_500, 'Sport Touring': 42_000 }, 'Hybrid', ['AWD', 'FWD']],
    [
      'Pilot',
      '5FNYG1H8',
      'SUV',
      { Sport: 42_500, 'EX-L': 45_700, Elite: 55_100 },
      'Gasoline',
      ['AWD', 'FWD'],
    ],
    ['Odyssey', '5FNRL6H9', 'Van', { 'EX-L': 43_900, Touring: 48_400 }, 'Gasoline', ['FWD']],
    ['Prologue', '3GPKHURM', 'SUV', { EX: 48_800, Touring: 53_200 }, 'Electric', ['AWD', 'FWD']],
  ]),
  ...of('Subaru', [
    ['Outback', '4S4BTGND', 'SUV', { Premium: 34_300, Limited: 38_800 }, 'Gasoline', ['AWD']],
    ['Forester', '4S4SLDB6', 'SUV', { Base: 31_100, Sport: 35_500 }, 'Gasoline', ['AWD']],
  ]),
  ...of('Chevrolet', [
    ['Silverado 1500', '1GCPKKEK', 'Pickup', { LT: 49_900, RST: 54_100 }, 'Gasoline', ['4WD', 'RWD']],
    ['Equinox', '3GNAXPEG', 'SUV', { LS: 28_600, LT: 30_100 }, 'Gasoline', ['FWD', 'AWD']],
  ]),
  ...of('Jeep', [['Wrangler', '1C4PJXDG', 'SUV', { Sport: 36_100, Sahara: 46_500 }, 'Gasoline', ['4WD']]]),
  ...of('Volkswagen', [
    ['ID.4', '1V2WNPE8', 'SUV', { Pro: 45_000, 'Pro S': 50_200 }, 'Electric', ['RWD', 'AWD']],
  ]),
]

/** The first eight VIN characters of a model in a model year. */
export function startOfVin({ vin, before }: DemoModel, year: number): string {
  return before !== undefined && year <= before.year ? before.vin : vin
}

type Line = readonly [
  model: string,
  vin: string,
  body: string,
  trims: Readonly<Record<string, number>>,
  fuel: string,
  drivetrains: readonly string[],
]

function of(make: string, lines: readonly Line[]): DemoModel[] {
  return lines.map(([model, vin, body, trims, fuel, drivetrains]) => ({
    make,
    model,
    vin,
    body,
    fuel,
    drivetrains,
    trims: Object.entries(trims),
    ...(BEFORE[model] !== undefined && { before: BEFORE[model] }),
  }))
}
