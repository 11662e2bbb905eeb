import type { FACILITY_TYPES, Level } from '#contract/organizations/facilities/facility-schema.ts'

type FacilityType = (typeof FACILITY_TYPES)[number]

/** The activity path of its factors in the library, and the usual unit of its quantities. */
type Defaults = readonly [activity: string, unit: string]

/** A type of emission source that dealers have. */
export type SourceType = Readonly<{
  id: string
  title: string
  /** 1, 2, or a category of scope 3 such as 3.5. */
  scope: string
  /** In the United States. Publishers name and measure the same activity differently. */
  us: Defaults
  elsewhere: Defaults
  /** Facility types for which it is suggested. */
  at: readonly FacilityType[]
  /** No publisher has a factor for it: it needs a custom factor or measured emissions. */
  needsOwnFactor?: true
}>

const HEATED = ['showroom', 'workshop', 'paint_shop', 'office', 'warehouse'] as const
const STAFFED = ['showroom', 'workshop', 'paint_shop', 'office'] as const
const EVERYWHERE = [
  'showroom',
  'workshop',
  'paint_shop',
  'office',
  'storage_lot',
  'car_wash',
  'charging_hub',
  'warehouse',
] as const

const same = (activity: string, unit: string) => ({
  us: [activity, unit] as const,
  elsewhere: [activity, unit] as const,
})

/**
 * All source types, in the order of the scopes. Sources store the IDs, so they never change. The paths are those of EPA's
 * Emission Factors Hub in the United States and of DESNZ elsewhere.
 */
export const SOURCE_TYPES: readonly SourceType[] = [
  {
    id: 'natural_gas',
    title: 'Natural gas',
    scope: '1',
    us: ['combustion/natural-gas', 'therm'],
    elsewhere: ['combustion/natural-gas', 'kWh'],
    at: HEATED,
  },
  {
    id: 'heating_oil',
    title: 'Heating oil',
    scope: '1',
    us: ['combustion/distillate-fuel-oil-no-2', 'gallon'],
    elsewhere: ['combustion/burning-oil', 'L'],
    at: [],
  },
  {
    id: 'propane',
    title: 'Propane',
    scope: '1',
    us: ['combustion/propane', 'gallon'],
    elsewhere: ['combustion/propane', 'L'],
    at: [],
  },
  {
    id: 'lpg',
    title: 'LPG',
    scope: '1',
    us: ['combustion/liquefied-petroleum-gases-lpg', 'gallon'],
    elsewhere: ['combustion/lpg', 'L'],
    at: [],
  },
  {
    id: 'diesel',
    title: 'Diesel, bulk purchases',
    scope: '1',
    us: ['mobile-combustion/diesel-fuel', 'gallon'],
    elsewhere: ['combustion/diesel-average-biofuel-blend', 'L'],
    at: [],
  },
  {
    id: 'petrol',
    title: 'Gasoline, bulk purchases',
    scope: '1',
    us: ['mobile-combustion/motor-gasoline', 'gallon'],
    elsewhere: ['combustion/petrol-average-biofuel-blend', 'L'],
    at: ['storage_lot'],
  },
  {
    id: 'company_cars',
    title: 'Company cars',
    scope: '1',
    us: ['mobile-combustion/motor-gasoline', 'gallon'],
    elsewhere: ['vehicle/average-car/unknown', 'vehicle-km'],
    at: ['showroom', 'office'],
  },
  {
    id: 'demo_cars',
    title: 'Demo cars and test drives',
    scope: '1',
    us: ['mobile-combustion/motor-gasoline', 'gallon'],
    elsewhere: ['vehicle/average-car/unknown', 'vehicle-km'],
    at: ['showroom'],
  },
  {
    id: 'tow_trucks',
    title: 'Tow and service trucks',
    scope: '1',
    us: ['mobile-combustion/diesel-fuel', 'gallon'],
    elsewhere: ['combustion/diesel-average-biofuel-blend', 'L'],
    at: [],
  },
  {
    id: 'refrigerant_building',
    title: 'Refrigerant leaks, air conditioning',
    scope: '1',
    ...same('refrigerant/r-410a', 'kg'),
    at: ['showroom', 'office'],
  },
  {
    id: 'refrigerant_vehicles',
    title: 'Refrigerant leaks, vehicle service',
    scope: '1',
    ...same('refrigerant/hfc-134a', 'kg'),
    at: ['workshop'],
  },
  {
    id: 'electricity',
    title: 'Electricity',
    scope: '2',
    ...same('electricity/grid', 'kWh'),
    at: EVERYWHERE,
  },
  {
    id: 'district_heat',
    title: 'District heat and steam',
    scope: '2',
    us: ['heat/steam', 'mmBtu'],
    elsewhere: ['heat/heat-and-steam-district-heat-and-steam', 'kWh'],
    at: [],
  },
  {
    id: 'purchased_goods',
    title: 'Purchased goods and services, by spend',
    scope: '3.1',
    us: ['purchased-goods/spend', 'USD'],
    elsewhere: ['purchased-goods/spend', 'GBP'],
    at: [],
    needsOwnFactor: true,
  },
  {
    id: 'water',
    title: 'Water supply',
    scope: '3.1',
    us: ['water/supply', 'gallon'],
    elsewhere: ['water/supply', 'm3'],
    at: ['car_wash', 'workshop'],
  },
  {
    id: 'grid_losses',
    title: 'Grid losses (T&D)',
    scope: '3.3',
    ...same('losses/electricity', 'kWh'),
    at: [],
  },
  {
    id: 'deliveries_in',
    title: 'Inbound deliveries',
    scope: '3.4',
    us: ['freight/medium-and-heavy-duty-truck', 'short ton-mile'],
    elsewhere: ['freight/all-hgvs/average-laden', 'tonne-km'],
    at: [],
  },
  {
    id: 'waste_mixed',
    title: 'Mixed waste to landfill',
    scope: '3.5',
    us: ['waste/landfilled/mixed-msw', 'short ton'],
    elsewhere: ['waste/landfill/commercial-and-industrial-waste', 't'],
    at: STAFFED,
  },
  {
    id: 'waste_paper',
    title: 'Paper and cardboard, recycled',
    scope: '3.5',
    us: ['waste/recycled/mixed-paper-general', 'short ton'],
    elsewhere: ['waste/closed-loop/paper-and-board-mixed', 't'],
    at: [],
  },
  {
    id: 'waste_metal',
    title: 'Scrap metal, recycled',
    scope: '3.5',
    us: ['waste/recycled/mixed-metals', 'short ton'],
    elsewhere: ['waste/closed-loop/metal-scrap-metal', 't'],
    at: ['workshop', 'paint_shop'],
  },
  {
    id: 'waste_tires',
    title: 'Tires, recycled',
    scope: '3.5',
    us: ['waste/recycled/tires', 'short ton'],
    elsewhere: ['waste/closed-loop/tyres', 't'],
    at: ['workshop'],
  },
  {
    id: 'waste_oil',
    title: 'Used oil, recycled',
    scope: '3.5',
    us: ['waste/closed-loop/mineral-oil', 'short ton'],
    elsewhere: ['waste/closed-loop/mineral-oil', 't'],
    at: ['workshop'],
  },
  {
    id: 'waste_water',
    title: 'Wastewater',
    scope: '3.5',
    us: ['water/treatment', 'gallon'],
    elsewhere: ['water/treatment', 'm3'],
    at: ['car_wash'],
  },
  {
    id: 'business_flights',
    title: 'Business travel, flights',
    scope: '3.6',
    us: ['travel/air-travel-medium-haul-from-300-miles-under-2300-miles', 'passenger-mile'],
    elsewhere: ['travel/air/short-haul/to-from-uk/average-passenger/with-rf', 'passenger-km'],
    at: [],
  },
  {
    id: 'business_cars',
    title: 'Business travel, rental and personal cars',
    scope: '3.6',
    us: ['travel/passenger-car', 'vehicle-mile'],
    elsewhere: ['travel/average-car/unknown', 'vehicle-km'],
    at: ['office'],
  },
  {
    id: 'commuting',
    title: 'Employee commuting',
    scope: '3.7',
    us: ['travel/passenger-car', 'vehicle-mile'],
    elsewhere: ['travel/average-car/unknown', 'vehicle-km'],
    at: STAFFED,
  },
  {
    id: 'deliveries_out',
    title: 'Deliveries to customers',
    scope: '3.9',
    us: ['freight/light-duty-truck', 'vehicle-mile'],
    elsewhere: ['freight/all-hgvs/average-laden', 'tonne-km'],
    at: [],
  },
  {
    id: 'vehicles_sold',
    title: 'Use of sold vehicles',
    scope: '3.11',
    ...same('vehicles/sold', 'item'),
    at: [],
    needsOwnFactor: true,
  },
]

const byId = new Map(SOURCE_TYPES.map((type) => [type.id, type]))

export function findSourceType(id: string): SourceType | undefined {
  return byId.get(id)
}

/** The default activity path and unit of a new source of this type, in a country. */
export function defaultsFor({ us, elsewhere }: SourceType, country: string | null) {
  const [activity, unit] = country === 'US' ? us : elsewhere
  return { activity, unit }
}

/** The scope 3 category of a scope such as 3.5; null for scopes 1 and 2. */
function categoryOf(scope: string): number | null {
  const [, category] = scope.split('.')
  return category === undefined ? null : Number(category)
}

/**
 * The source types to suggest for a facility by its type. Empty for levels where nothing is measured; categories marked
 * not relevant are left out.
 */
export function suggestedAt(
  { level, type }: { level: Level; type: FacilityType | null },
  notRelevant: ReadonlySet<number>,
): SourceType[] {
  if (type === null || (level !== 'site' && level !== 'building')) return []
  return SOURCE_TYPES.filter(({ at, scope }) => {
    const category = categoryOf(scope)
    return at.includes(type) && (category === null || !notRelevant.has(category))
  })
}
