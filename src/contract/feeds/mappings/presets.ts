import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { squeezeName } from './aliases.ts'
import type { FeedRow } from './source-row.ts'
import type { Match } from './match.ts'
import { matchColumns } from './match-columns.ts'
import { FEED_TARGETS, FeedMapping, type FeedSource, type FieldMapping } from './mapping.ts'
import { namedIn, ruleColumns } from './rule-columns.ts'

/** A provider's feed layout: the columns that identify it, and the fields that column names alone would map wrong. */
export type Preset = {
  key: string
  title: string
  format: 'csv' | 'xml' | 'json'
  /** Column names as they appear in its files. */
  columns: readonly string[]
  /** Corrections to what the names suggest. */
  fields?: FeedMapping['fields']
  skipRule?: FeedMapping['skipRule']
}

const column = (name: string, more: Omit<FieldMapping, 'source'> = {}): FieldMapping => ({
  source: { kind: 'column', column: name },
  ...more,
})
const names = (text: string): string[] => text.split(',')

export const PRESETS: readonly Preset[] = [
  {
    key: 'vauto',
    title: 'vAuto',
    format: 'csv',
    columns: names(
      'DealerId,VIN,Stock #,New/Used,Year,Make,Model,Model Number,Body,Transmission,Series,Body Door Ct,Odometer,Engine Cylinder Ct,Engine Displacement,Drivetrain Desc,Colour,Interior Color,Invoice,MSRP,Price,Inventory Date,Certified,Description,Features,Photo Url List,City MPG,Highway MPG',
    ),
    fields: { trim: column('Series'), doors: column('Body Door Ct') },
  },
  {
    key: 'homenet',
    title: 'HomeNet',
    format: 'csv',
    columns: names(
      'Type,Stock,VIN,Year,Make,Model,Body,Trim,ModelNumber,Doors,ExteriorColor,InteriorColor,EngineCylinders,EngineDisplacement,Transmission,Miles,SellingPrice,MSRP,BookValue,Invoice,Certified,DateInStock,Description,Options,Style_Description,Ext_Color_Generic,Int_Color_Generic,Engine_Description,Transmission_Description,Drivetrain,Fuel_Type,CityMPG,HighwayMPG,Internet_Price,ImageList',
    ),
    fields: {
      engine: { source: { kind: 'firstOf', columns: ['Engine_Description', 'EngineDisplacement'] } },
      price: { source: { kind: 'firstOf', columns: ['SellingPrice', 'Internet_Price'] } },
    },
  },
  {
    key: 'edealer',
    title: 'eDealer',
    format: 'csv',
    columns: names(
      'Stock number,VIN,Year,Make,Model,Trim,Drivetrain,Fuel type,Transmission,Body style,Images,Price,VDP URL,Stock Type',
    ),
  },
  {
    key: 'autoxloo',
    title: 'Autoxloo',
    format: 'csv',
    columns: names(
      'Dealer ID,VIN,Stock No,Year,Make,Model,Trim,Body Type,Mileage,Engine,Transmission,Drive Type,Exterior Color,Interior Color,Retail Price,Internet Price,Options,Comments,Photos,Condition,Doors,Fuel Type',
    ),
  },
  {
    key: 'impel',
    title: 'Impel',
    format: 'csv',
    columns: names(
      'dealer_id,vin,stock_number,new_or_used,certified,year,make,model,trim,body_style,exterior_color,interior_color,mileage,price,msrp,engine,transmission,drivetrain,fuel_type,description,options,photo_urls,vdp_url,date_in_stock',
    ),
  },
  {
    key: 'cox-au',
    title: 'Cox Automotive Australia',
    format: 'csv',
    columns: names(
      'YardCode,StockNo,RegoNo,VIN,Make,Model,Series,Badge,BodyType,Year,Colour,InteriorTrimColour,Odometer,Transmission,FuelType,EngineSize,Doors,DriveType,Price,DriveAwayPrice,VehicleType,AdText,Features,Images',
    ),
    fields: {
      trim: column('Badge'),
      mileage: column('Odometer', { unit: 'km' }),
      price: { source: { kind: 'firstOf', columns: ['DriveAwayPrice', 'Price'] } },
    },
  },
  {
    key: 'smedia-csv',
    title: 'sMedia (CSV)',
    format: 'csv',
    columns: names(
      'stock_number,vin,stock_type,title,year,make,model,trim,price,body_style,engine,transmission,exterior_color,interior_color,kilometres,all_images,url,certified,deleted',
    ),
    skipRule: { rule: 'deleted == "1"', reason: 'The feed marks this vehicle as deleted.' },
  },
  {
    key: 'smedia-xml',
    title: 'sMedia (XML)',
    format: 'xml',
    columns: names(
      'vehicle_id,title,stock_number,description,url,year,make,model,mileage.value,mileage.unit,vin,image.url,body_style,fuel_type,drivetrain,transmission,state_of_vehicle,price,exterior_color,fb_page_id,dealer_id,dealer_name',
    ),
    fields: { dealer: column('dealer_id') },
  },
  {
    key: 'autotrader',
    title: 'AutoTrader',
    format: 'csv',
    columns: names(
      'DealerId,StockNumber,Year,Make,Model,Trim,VIN,Mileage,Price,ExteriorColor,InteriorColor,Tranmission,PhysicalImages,Descriptions,BodyType,EngineType,DriveType,FuelType,Options,ImageURL,VideoURL,VideoSource',
    ),
  },
  {
    key: 'marketcheck',
    title: 'MarketCheck (JSON)',
    format: 'json',
    columns: names(
      'id,vin,heading,price,msrp,miles,exterior_color,interior_color,base_ext_color,dom,data_source,vdp_url,seller_type,inventory_type,stock_no,first_seen_at_date,media.photo_links,dealer.id,dealer.name,build.year,build.make,build.model,build.trim,build.body_type,build.transmission,build.drivetrain,build.fuel_type,build.engine,build.doors',
    ),
    fields: {
      mileage: column('miles', { unit: 'mi' }),
      inStockOn: column('first_seen_at_date'),
      photos: column('media.photo_links'),
      dealer: column('dealer.id'),
    },
  },
  {
    key: 'google',
    title: 'Google vehicle ads',
    format: 'csv',
    columns: names(
      'id,store_code,vin,condition,brand,model,trim,year,mileage,price,vehicle_msrp,color,image_link,additional_image_link,link_template,vehicle_fulfillment,engine,body_style,link,title,description,certified_pre-owned,vehicle_option',
    ),
    fields: {
      stock: column('id'),
      dealer: column('store_code'),
      photos: { source: { kind: 'allOf', columns: ['image_link', 'additional_image_link'] } },
      options: column('vehicle_option'),
    },
  },
  {
    key: 'meta',
    title: 'Meta automotive',
    format: 'csv',
    columns: names(
      'vehicle_id,title,description,url,make,model,year,mileage.value,mileage.unit,image[0].url,image[0].tag[0],transmission,fuel_type,body_style,drivetrain,vin,condition,price,address,exterior_color,sale_price,availability,date_first_on_lot,state_of_vehicle,latitude,longitude',
    ),
    fields: {
      condition: column('state_of_vehicle'),
      price: { source: { kind: 'firstOf', columns: ['sale_price', 'price'] } },
    },
  },
]

/** In how many presets each column name occurs: a name that occurs in one identifies its provider. */
const uses = new Map<string, number>()
for (const { columns } of PRESETS)
  for (const name of new Set(columns.map(squeezeName))) uses.set(name, (uses.get(name) ?? 0) + 1)

/** How many names of its own a file must have to be a provider's, whatever other columns it has. */
const MIN_OWN_NAMES = 5

/**
 * How well a preset fits: the average of the share of the file's columns it knows and of its own columns in the file. A file
 * with nearly all columns of the preset, among them names that no other provider uses, fits however many others it has.
 */
export function fitOf({ columns }: Preset, fileColumns: readonly string[]): number {
  const own = new Set(columns.map(squeezeName))
  const found = new Set(fileColumns.map(squeezeName))
  const both = [...found].filter((name) => own.has(name))
  const share = both.length / Math.max(own.size, 1)
  const distinct = both.filter((name) => uses.get(name) === 1).length
  if (share >= 0.75 && distinct >= MIN_OWN_NAMES) return share
  return share * 0.5 + (both.length / Math.max(found.size, 1)) * 0.5
}

/** The preset that matches a file's columns; null if none fits well. */
export function recognizePreset(
  format: string,
  columns: readonly string[],
): { preset: Preset; fit: number } | null {
  const [best] = PRESETS.map((preset) => ({
    preset,
    fit: fitOf(preset, columns) * (preset.format === format ? 1 : 0.9),
  })).toSorted((one, other) => other.fit - one.fit)
  return best !== undefined && best.fit >= 0.7 ? best : null
}

/** A proposed mapping: from the matching preset, or else from column names and values. */
export type Proposal = {
  mapping: FeedMapping
  matches: Match[]
  preset: { key: string; title: string; fit: number } | null
  /** Columns that the mapping doesn't use. */
  unused: string[]
}

type FileStart = {
  format: string
  columns: readonly string[]
  rows: readonly FeedRow[]
  /** The customer's custom fields. */
  own?: readonly CustomField[] | undefined
}

/**
 * Proposes a mapping for an unmapped file from its first rows. `presetKey` forces a preset; columns it names that are not in
 * the file are left out. Null ignores all presets.
 */
export function proposeMapping(
  { format, columns, rows, own }: FileStart,
  today: string,
  presetKey?: string | null,
): Proposal {
  const forced = PRESETS.find(({ key }) => key === presetKey)
  const recognized = presetKey === null ? null : recognizePreset(format, columns)
  const found = forced === undefined ? recognized : { preset: forced, fit: fitOf(forced, columns) }
  const presetNames = new Set(found?.preset.columns.map(squeezeName))
  const known = new Set(columns.filter((name) => presetNames.has(squeezeName(name))))
  const matches = matchColumns(columns, rows, { today, own, known })
  const byName = new Map(columns.map((name) => [squeezeName(name), name]))
  const byTarget = new Map(matches.map((match) => [match.target, match]))
  for (const match of presetMatches(found, byName)) byTarget.set(match.target, match)
  const price = byTarget.get('price')
  // Our own export has the price as a person or a feed set it.
  if (price !== undefined && !namesOf(price.mapping.source).some(isOwnPrice))
    byTarget.set('feedPrice', { ...price, target: 'feedPrice', reason: 'Same as price' })
  const all = [...byTarget.values()]
  const fields = Object.fromEntries(all.map(({ target, mapping }) => [target, mapping]))
  const ofPreset = columns.includes('deleted') ? found?.preset.skipRule : null
  const skipRule = ofPreset ?? deletedFlag(columns)
  const inRules = ruleColumns(columns)
  const used = new Set(
    all.flatMap(({ mapping: { source, unitColumn, currencyColumn } }) => [
      unitColumn,
      currencyColumn,
      ...namesOf(source),
      ...(source.kind === 'rule' ? namedIn(source.rule, inRules).map(({ column: name }) => name) : []),
    ]),
  )
  if (skipRule !== null) for (const { column: name } of namedIn(skipRule.rule, inRules)) used.add(name)
  return {
    mapping: FeedMapping.parse({
      fields,
      skipRule,
    }),
    matches: all,
    preset: found === null ? null : { key: found.preset.key, title: found.preset.title, fit: found.fit },
    unused: columns.filter((name) => !used.has(name)),
  }
}

/** The rule for a column by which a provider marks vehicles as deleted. */
function deletedFlag(columns: readonly string[]): FeedMapping['skipRule'] {
  const flag = ruleColumns(columns).find(({ column: name }) => /^(is)?deleted$/.test(squeezeName(name)))
  if (flag === undefined) return null
  return {
    rule: `${flag.name} in ["1", "true", "yes", "y"]`,
    reason: 'The feed marks this vehicle as deleted.',
  }
}

/** The matches of a preset for the columns that are in the file. */
function presetMatches(found: { preset: Preset } | null, byName: ReadonlyMap<string, string>): Match[] {
  if (found === null) return []
  const { title, fields = {} } = found.preset
  return FEED_TARGETS.flatMap((target): Match[] => {
    const mapping = fields[target]
    const source = mapping === undefined ? null : sourceIn(mapping.source, byName)
    if (mapping === undefined || source === null) return []
    return [{ target, mapping: { ...mapping, source }, confidence: 0.99, reason: `${title} template` }]
  })
}

/** A source with its columns as this file spells them; null if none of them are in the file. */
function sourceIn(source: FeedSource, byName: ReadonlyMap<string, string>): FeedSource | null {
  if (source.kind === 'constant' || source.kind === 'rule') return source
  const columns = namesOf(source).flatMap((name) => byName.get(squeezeName(name)) ?? [])
  const [first] = columns
  if (first === undefined) return null
  if (source.kind === 'column' || source.kind === 'part') return { ...source, column: first }
  return columns.length === 1 ? { kind: 'column', column: first } : { ...source, columns }
}

const isOwnPrice = (name: string): boolean => squeezeName(name) === 'pricebeforerules'

function namesOf(source: FeedSource): string[] {
  if (source.kind === 'column' || source.kind === 'part') return [source.column]
  return source.kind === 'firstOf' || source.kind === 'allOf' ? source.columns : []
}
