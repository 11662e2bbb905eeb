/** How a value of a vehicle is written: what a feed, a form or a channel has to make of it. */
export type VehicleFieldKind =
  | 'text'
  | 'longText'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'date'
  | 'choice'
  | 'texts'
  | 'addresses'

/** One field of a vehicle that people and feeds fill. `mapped`: its values go through the data mapping. */
export type VehicleField = Readonly<{ title: string; kind: VehicleFieldKind; mapped?: true }>

/**
 * Every field of a vehicle that has a value of its own, by its name in the contract, in the order in which screens show
 * them. Money is integer cents in the customer's currency, mileage in the customer's unit.
 */
export const VEHICLE_FIELDS = {
  vin: { title: 'VIN', kind: 'text' },
  stock: { title: 'Stock', kind: 'text' },
  condition: { title: 'Condition', kind: 'choice', mapped: true },
  year: { title: 'Year', kind: 'integer' },
  make: { title: 'Make', kind: 'text', mapped: true },
  model: { title: 'Model', kind: 'text', mapped: true },
  trim: { title: 'Trim', kind: 'text' },
  body: { title: 'Body', kind: 'text', mapped: true },
  doors: { title: 'Doors', kind: 'integer' },
  colour: { title: 'Colour', kind: 'text' },
  genericColour: { title: 'Generic colour', kind: 'text', mapped: true },
  interiorColour: { title: 'Interior colour', kind: 'text' },
  mileage: { title: 'Mileage', kind: 'integer' },
  engine: { title: 'Engine', kind: 'text' },
  fuel: { title: 'Fuel', kind: 'text', mapped: true },
  electrification: { title: 'Electrification', kind: 'choice', mapped: true },
  transmission: { title: 'Transmission', kind: 'text', mapped: true },
  drivetrain: { title: 'Drivetrain', kind: 'text', mapped: true },
  /** Litres for 100 km or miles a gallon, as the customer's unit of distance says. */
  cityEconomy: { title: 'City economy', kind: 'decimal' },
  highwayEconomy: { title: 'Highway economy', kind: 'decimal' },
  whPerMile: { title: 'Wh/mi', kind: 'integer' },
  co2: { title: 'CO2 g/km', kind: 'integer' },
  options: { title: 'Options', kind: 'texts' },
  description: { title: 'Description', kind: 'longText' },
  msrp: { title: 'MSRP', kind: 'money' },
  invoice: { title: 'Invoice', kind: 'money' },
  cost: { title: 'Cost', kind: 'money' },
  feedPrice: { title: 'Feed price', kind: 'money' },
  price: { title: 'Price', kind: 'money' },
  /** What others say it is worth, who says so and as of which day: never a price for buyers. */
  marketPrice: { title: 'Market price', kind: 'money' },
  marketPriceSource: { title: 'Market price from', kind: 'text' },
  marketPriceOn: { title: 'Market price as of', kind: 'date' },
  bookValue: { title: 'Book value', kind: 'money' },
  bookValueSource: { title: 'Book value from', kind: 'text' },
  bookValueOn: { title: 'Book value as of', kind: 'date' },
  inStockOn: { title: 'In stock since', kind: 'date' },
  certification: { title: 'Certified programme', kind: 'text' },
  pageUrl: { title: 'Address of its page', kind: 'text' },
  photos: { title: 'Photos', kind: 'addresses' },
} as const satisfies Record<string, VehicleField>

export type VehicleFieldName = keyof typeof VEHICLE_FIELDS

/** The fields that say one worth: the amount, who published it, and as of which day. */
export const VALUATIONS = [
  { amount: 'marketPrice', source: 'marketPriceSource', on: 'marketPriceOn' },
  { amount: 'bookValue', source: 'bookValueSource', on: 'bookValueOn' },
] as const satisfies readonly Record<'amount' | 'source' | 'on', VehicleFieldName>[]
