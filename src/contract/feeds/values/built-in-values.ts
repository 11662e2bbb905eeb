import type { MappedField } from './mapped-fields.ts'

/** A standard value and some of its known spellings, shown on screen and used to find similar spellings. */
export type BuiltInValue = Readonly<{ value: string; spellings: readonly string[] }>

const values = (all: Readonly<Record<string, string>>): BuiltInValue[] =>
  Object.entries(all).map(([value, spellings]) => ({ value, spellings: spellings.split('|') }))

/**
 * The built-in mappings. A test checks that every spelling here maps to its standard value; many more spellings do,
 * because they are matched by parts. Makes match their own names, and models have no built-in mappings.
 */
export const BUILT_IN_VALUES: Readonly<Record<MappedField, readonly BuiltInValue[]>> = {
  body: values({
    SUV: 'Sport Utility|Crossover|4D Sport Utility|CUV',
    Truck: 'Pickup|Crew Cab|SuperCrew|Quad Cab|Double Cab|CrewMax|Extended Cab',
    Sedan: '4dr Car|Saloon|4D Sedan|Berline',
    Coupe: '2dr Coupe|Coup\u00e9',
    Convertible: 'Cabriolet|Roadster|Spyder|Drop top',
    Hatchback: 'Hatch|5dr Hatchback|Liftback',
    Wagon: 'Estate|Station Wagon|Touring|Sportback',
    Minivan: 'Mini-van|Passenger Van|MPV|People carrier',
    Van: 'Cargo Van|Full-size Van',
    Chassis: 'Cab & Chassis|Cutaway',
    Motorcycle: 'Motorbike|Scooter',
  }),
  drivetrain: values({
    AWD: 'All-Wheel Drive|quattro|4MATIC|xDrive|4MOTION',
    '4WD': 'Four-Wheel Drive|4x4|4-Wheel Drive',
    FWD: 'Front-Wheel Drive|Front',
    RWD: 'Rear-Wheel Drive|Rear',
    '2WD': 'Two-Wheel Drive|4x2|2-Wheel Drive',
  }),
  fuel: values({
    Gasoline: 'Gas|Petrol|Regular Unleaded|Premium Unleaded|Essence',
    Diesel: 'Diesel Fuel|TDI|D',
    Hybrid: 'Gas/Electric Hybrid|HEV|Hybrid Electric',
    'Plug-in hybrid': 'PHEV|Plug-in Gas/Electric',
    Electric: 'Electricity|BEV|Battery Electric',
    'Flex fuel': 'Flexible Fuel|E85|Ethanol',
    'Natural gas': 'CNG|LPG|Propane',
    Hydrogen: 'Fuel Cell|FCEV',
  }),
  transmission: values({
    Automatic: '8-Speed Automatic|A/T|Shiftable Automatic|Tiptronic|10-Speed|Single Speed',
    Manual: '6-Speed Manual|Stick|M/T|Standard',
    CVT: 'Continuously Variable|Variable|Xtronic CVT',
    'Dual clutch': 'DCT|DSG|PDK|Dual-Clutch Automatic',
  }),
  genericColor: values({
    Black: 'Ebony|Onyx|Obsidian|Midnight',
    White: 'Ivory|Snow|Ice Cap',
    Silver: 'Aluminum|Platinum|Chrome',
    Gray: 'Grey|Graphite|Charcoal|Gunmetal',
    Red: 'Burgundy|Maroon|Ruby|Crimson',
    Blue: 'Navy|Cobalt|Sapphire',
    Green: 'Olive|Emerald',
    Brown: 'Bronze|Mocha|Espresso|Copper',
    Beige: 'Tan|Cream|Sand|Champagne',
    Gold: 'Golden',
    Orange: 'Tangerine',
    Yellow: 'Lemon',
    Purple: 'Violet|Plum',
  }),
  electrification: values({
    none: 'No|ICE|Gasoline',
    mild: 'Mild Hybrid|MHEV',
    hybrid: 'Full Hybrid|HEV',
    'plug-in': 'Plug-in Hybrid|PHEV',
    electric: 'BEV|Battery Electric',
    'fuel-cell': 'Hydrogen|FCEV',
  }),
  condition: values({
    new: 'N|Brand New',
    used: 'U|Pre-owned|Second-hand|Occasion',
    cpo: 'Certified|Certified Pre-owned|C',
    demo: 'Demonstrator|Service Loaner|Courtesy',
  }),
  make: values({
    Chevrolet: 'Chevy',
    Volkswagen: 'VW',
    'Mercedes-Benz': 'Mercedes|MERCEDES BENZ',
    Ram: 'Dodge Ram|Ram Trucks',
    'Land Rover': 'Range Rover|LANDROVER',
    Dodge: 'Dodge Truck',
    'Citro\u00ebn': 'Citroen',
    '\u0160koda': 'Skoda',
  }),
  model: [],
}
