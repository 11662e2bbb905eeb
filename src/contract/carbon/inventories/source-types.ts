import type { FACILITY_TYPES, Level } from '#contract/organizations/facilities/facility-schema.ts'

type FacilityType = (typeof FACILITY_TYPES)[number]

/** The path of its factors in the library, and the unit in which people usually hold its quantities. */
type Usual = readonly [activity: string, unit: string]

/** A kind of thing that emits, as dealers know it. */
export type SourceType = Readonly<{
  id: string
  title: string
  /** 1, 2, or a category of scope 3 such as 3.5. */
  scope: string
  /** In the United States. Publishers name and measure the same thing differently. */
  us: Usual
  elsewhere: Usual
  /** Where it is proposed at once. */
  at: readonly FacilityType[]
  /** Neither publisher prints a figure: an own factor, or what was measured, is needed. */
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
 * Everything that can be assigned, in the order of the scopes. Ids are kept by sources and never change; the paths are
 * those of EPA's Hub in the United States and of DESNZ elsewhere.
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
    title: 'Diesel, bought in bulk',
    scope: '1',
    us: ['mobile-combustion/diesel-fuel', 'gallon'],
    elsewhere: ['combustion/diesel-average-biofuel-blend', 'L'],
    at: [],
  },
  {
    id: 'petrol',
    title: 'Petrol, bought in bulk',
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
    title: 'Losses of the electricity grid',
    scope: '3.3',
    ...same('losses/electricity', 'kWh'),
    at: [],
  },
  {
    id: 'deliveries_in',
    title: 'Deliveries to us',
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
    title: 'Paper and board, recycled',
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
    title: 'Waste oil, recycled',
    scope: '3.5',
    us: ['waste/closed-loop/mineral-oil', 'short ton'],
    elsewhere: ['waste/closed-loop/mineral-oil', 't'],
    at: ['workshop'],
  },
  {
    id: 'waste_water',
    title: 'Waste water',
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
    title: 'Business travel, cars not owned',
    scope: '3.6',
    us: ['travel/passenger-car', 'vehicle-mile'],
    elsewhere: ['travel/average-car/unknown', 'vehicle-km'],
    at: ['office'],
  },
  {
    id: 'commuting',
    title: 'Commuting',
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
    title: 'Vehicles sold, their use',
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

/** What a new source of this type begins with, in a country. */
export function usualOf({ us, elsewhere }: SourceType, country: string | null) {
  const [activity, unit] = country === 'US' ? us : elsewhere
  return { activity, unit }
}

/** The category of scope 3 that a scope such as 3.5 names; null for scopes 1 and 2. */
function categoryOf(scope: string): number | null {
  const [, category] = scope.split('.')
  return category === undefined ? null : Number(category)
}

/**
 * What is proposed for a facility by its type. Only where something is measured, and nothing of a category that was
 * said to be not relevant.
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
