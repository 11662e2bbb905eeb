/** The data type of a vehicle field, for feeds, forms and channels. */
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

/** A vehicle field that users and feeds can set. `mapped`: its values go through the data mappings. */
export type VehicleField = Readonly<{ title: string; kind: VehicleFieldKind; mapped?: true }>

/**
 * Every vehicle field by its name in the contract, in display order. Money is in integer cents of the customer's
 * currency, mileage in the customer's distance unit.
 */
export const VEHICLE_FIELDS = {
  vin: { title: 'VIN', kind: 'text' },
  stock: { title: 'Stock number', kind: 'text' },
  condition: { title: 'Condition', kind: 'choice', mapped: true },
  year: { title: 'Year', kind: 'integer' },
  make: { title: 'Make', kind: 'text', mapped: true },
  model: { title: 'Model', kind: 'text', mapped: true },
  trim: { title: 'Trim', kind: 'text' },
  body: { title: 'Body', kind: 'text', mapped: true },
  doors: { title: 'Doors', kind: 'integer' },
  color: { title: 'Exterior color', kind: 'text' },
  genericColor: { title: 'Generic color', kind: 'text', mapped: true },
  interiorColor: { title: 'Interior color', kind: 'text' },
  mileage: { title: 'Mileage', kind: 'integer' },
  engine: { title: 'Engine', kind: 'text' },
  fuel: { title: 'Fuel', kind: 'text', mapped: true },
  electrification: { title: 'Electrification', kind: 'choice', mapped: true },
  transmission: { title: 'Transmission', kind: 'text', mapped: true },
  drivetrain: { title: 'Drivetrain', kind: 'text', mapped: true },
  /** L/100 km if the customer's distance unit is km, otherwise MPG. */
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
  /** Valuations by third parties, with source and date. Never shown to buyers. */
  marketPrice: { title: 'Market price', kind: 'money' },
  marketPriceSource: { title: 'Market price source', kind: 'text' },
  marketPriceOn: { title: 'Market price as of', kind: 'date' },
  bookValue: { title: 'Book value', kind: 'money' },
  bookValueSource: { title: 'Book value source', kind: 'text' },
  bookValueOn: { title: 'Book value as of', kind: 'date' },
  inStockOn: { title: 'In stock since', kind: 'date' },
  certification: { title: 'CPO program', kind: 'text' },
  pageUrl: { title: 'Vehicle page URL', kind: 'text' },
  photos: { title: 'Photos', kind: 'addresses' },
} as const satisfies Record<string, VehicleField>

export type VehicleFieldName = keyof typeof VEHICLE_FIELDS

/** The fields of each valuation: amount, source, and as-of date. */
export const VALUATIONS = [
  { amount: 'marketPrice', source: 'marketPriceSource', on: 'marketPriceOn' },
  { amount: 'bookValue', source: 'bookValueSource', on: 'bookValueOn' },
] as const satisfies readonly Record<'amount' | 'source' | 'on', VehicleFieldName>[]
