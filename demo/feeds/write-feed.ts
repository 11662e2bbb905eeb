import type { DemoFeed } from './demo-feed.ts'
import { OPTION_MARK, type CellName, type FeedCells } from './feed-cells.ts'

type Shape = Readonly<{
  form: 'csv' | 'json'
  /** CSV delimiter. */
  mark: ',' | '|'
  /** The provider's column names with their fields; columns without a field are always empty. */
  columns: Readonly<Record<string, CellName | null>>
  /** The date format. */
  day: (day: string) => string
}>

const american = (day: string): string => {
  const [year, month, date] = day.split('-')
  return `${month}/${date}/${year}`
}

/** The file format of each demo provider. The first columns are those of its preset. */
export const FEED_SHAPES: Readonly<Record<DemoFeed['shape'], Shape>> = {
  homenet: {
    form: 'csv',
    mark: ',',
    day: american,
    columns: {
      Type: 'condition',
      Stock: 'stock',
      VIN: 'vin',
      Year: 'year',
      Make: 'make',
      Model: 'model',
      Body: 'body',
      Trim: 'trim',
      ModelNumber: null,
      Doors: 'doors',
      ExteriorColor: 'color',
      InteriorColor: 'interiorColor',
      EngineCylinders: null,
      EngineDisplacement: null,
      Transmission: 'transmission',
      Miles: 'mileage',
      SellingPrice: 'price',
      MSRP: 'msrp',
      BookValue: 'bookValue',
      Invoice: 'invoice',
      Certified: 'certification',
      DateInStock: 'inStockOn',
      Description: 'description',
      Options: 'options',
      Style_Description: null,
      Ext_Color_Generic: 'genericColor',
      Int_Color_Generic: null,
      Engine_Description: 'engine',
      Transmission_Description: null,
      Drivetrain: 'drivetrain',
      Fuel_Type: 'fuel',
      CityMPG: 'cityEconomy',
      HighwayMPG: 'highwayEconomy',
      Internet_Price: null,
      ImageList: null,
      DealerId: 'dealer',
      Cost: 'cost',
      CO2: 'co2',
      WhPerMile: 'whPerMile',
    },
  },
  vauto: {
    form: 'csv',
    mark: ',',
    day: american,
    columns: {
      DealerId: 'dealer',
      VIN: 'vin',
      'Stock #': 'stock',
      'New/Used': 'condition',
      Year: 'year',
      Make: 'make',
      Model: 'model',
      'Model Number': null,
      Body: 'body',
      Transmission: 'transmission',
      Series: 'trim',
      'Body Door Ct': 'doors',
      Odometer: 'mileage',
      'Engine Cylinder Ct': null,
      'Engine Displacement': null,
      'Drivetrain Desc': 'drivetrain',
      Colour: 'color',
      'Interior Color': 'interiorColor',
      Invoice: 'invoice',
      MSRP: 'msrp',
      Price: 'price',
      'Inventory Date': 'inStockOn',
      Certified: 'certification',
      Description: 'description',
      Features: 'options',
      'Photo Url List': null,
      'City MPG': 'cityEconomy',
      'Highway MPG': 'highwayEconomy',
      'Fuel Type': 'fuel',
      Engine: 'engine',
      'Generic Color': 'genericColor',
      'Unit Cost': 'cost',
      'CO2 g/km': 'co2',
      MMR: 'marketPrice',
      'KBB Value': 'bookValue',
    },
  },
  edealer: {
    form: 'csv',
    mark: '|',
    day: (day) => day,
    columns: {
      'Stock number': 'stock',
      VIN: 'vin',
      Year: 'year',
      Make: 'make',
      Model: 'model',
      Trim: 'trim',
      Drivetrain: 'drivetrain',
      'Fuel type': 'fuel',
      Transmission: 'transmission',
      'Body style': 'body',
      Images: null,
      Price: 'price',
      'VDP URL': null,
      'Stock Type': 'condition',
      'Dealer ID': 'dealer',
      Odometer: 'mileage',
      Colour: 'color',
      'Generic color': 'genericColor',
      'Interior color': 'interiorColor',
      Engine: 'engine',
      Doors: 'doors',
      'City MPG': 'cityEconomy',
      'Highway MPG': 'highwayEconomy',
      'Wh per mi': 'whPerMile',
      CO2: 'co2',
      Features: 'options',
      Comments: 'description',
      MSRP: 'msrp',
      Invoice: 'invoice',
      'Unit cost': 'cost',
      Certification: 'certification',
      'In stock date': 'inStockOn',
      'MMR value': 'marketPrice',
    },
  },
  marketcheck: {
    form: 'json',
    mark: ',',
    day: (day) => `${day}T09:12:00.000Z`,
    columns: {
      id: null,
      vin: 'vin',
      heading: null,
      price: 'price',
      msrp: 'msrp',
      miles: 'mileage',
      exterior_color: 'color',
      interior_color: 'interiorColor',
      base_ext_color: 'genericColor',
      data_source: null,
      vdp_url: null,
      seller_type: null,
      inventory_type: 'condition',
      stock_no: 'stock',
      first_seen_at_date: 'inStockOn',
      'media.photo_links': null,
      'dealer.id': 'dealer',
      'dealer.name': null,
      'build.year': 'year',
      'build.make': 'make',
      'build.model': 'model',
      'build.trim': 'trim',
      'build.body_type': 'body',
      'build.transmission': 'transmission',
      'build.drivetrain': 'drivetrain',
      'build.fuel_type': 'fuel',
      'build.engine': 'engine',
      'build.doors': 'doors',
      'build.city_mpg': 'cityEconomy',
      'build.highway_mpg': 'highwayEconomy',
      'build.co2': 'co2',
      'build.wh_per_mile': 'whPerMile',
      invoice: 'invoice',
      unit_cost: 'cost',
      certification: 'certification',
      mmr: 'marketPrice',
      'extra.options': 'options',
      'extra.seller_comments': 'description',
    },
  },
}

/** A line of a file: a vehicle, or in CSV a line cut off after some values. */
export type FeedLine = FeedCells | { cut: FeedCells; after: number }

/** Writes a provider's file. */
export function writeFeed(shape: DemoFeed['shape'], lines: readonly FeedLine[]): Buffer {
  const { form, columns, mark, day } = FEED_SHAPES[shape]
  const names = Object.keys(columns)
  const textsOf = (cells: FeedCells): string[] =>
    names.map((name) => {
      const cell = columns[name] ?? null
      if (cell === null) return ''
      return cell === 'inStockOn' && cells.inStockOn !== '' ? day(cells.inStockOn) : cells[cell]
    })
  if (form === 'json') {
    const listings = lines.flatMap((line) => ('cut' in line ? [] : [objectOf(names, textsOf(line))]))
    return Buffer.from(JSON.stringify({ num_found: listings.length, listings }, null, 1))
  }
  const rows = lines.map((line) => ('cut' in line ? textsOf(line.cut).slice(0, line.after) : textsOf(line)))
  const text = [names, ...rows].map((values) => values.map(quoted).join(mark)).join('\r\n')
  return Buffer.from(`${text}\r\n`)
}

const quoted = (text: string): string => (/[",|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A nested object: `build.year` becomes `year` in `build`. Empty values are omitted. */
function objectOf(names: readonly string[], texts: readonly string[]): object {
  const made: Record<string, unknown> = {}
  for (const [at, name] of names.entries()) {
    const text = texts[at] ?? ''
    if (text === '') continue
    const [outer = '', inner] = name.split('.')
    const value = inner === 'options' ? text.split(OPTION_MARK) : text
    if (inner === undefined) made[outer] = value
    else made[outer] = { ...Object(made[outer]), [inner]: value }
  }
  return made
}
