import type { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import type { DemoFacility, DemoProfile } from '../demo-customer.ts'
import type { DemoInventory } from '../demo-inventories.ts'

const sacramento = { city: 'Sacramento', region: 'CA', country: 'US', gridRegion: 'CAMX' } as const
const owned = (validFrom: string) => ({
  validFrom,
  ownership: '100',
  operationalControl: true,
  financialControl: true,
})

const profile = {
  country: 'US',
  currency: 'USD',
  industry: 'naics-441110',
  fiscalYearStart: 1,
  consolidation: 'operational',
  region: 'CA',
} as const

export const FORD_PROFILE: DemoProfile = {
  ...profile,
  legalName: 'Northgate Ford of Sacramento LLC',
  address: '5550 Auburn Blvd',
  city: 'Sacramento',
  postalCode: '95841',
  contacts: [
    {
      name: 'Priya Raman',
      role: 'Sustainability',
      email: 'priya.raman@northgate.example',
      phone: '+1 916 555 0105',
    },
  ],
}

export const TOYOTA_PROFILE: DemoProfile = {
  ...profile,
  legalName: 'Northgate Toyota of Sacramento LLC',
  address: '2100 Fulton Ave',
  city: 'Sacramento',
  postalCode: '95825',
}

/** Two sites and a hub. The paint shop is a joint venture that was acquired step by step. */
export const FORD_FACILITIES: readonly DemoFacility[] = [
  {
    ...sacramento,
    level: 'site',
    code: 'AUB',
    name: 'Auburn Boulevard',
    type: 'showroom',
    lot: 'NGF',
    address: '5550 Auburn Blvd',
    postalCode: '95841',
    floorArea: '48200',
    staff: 64,
    openedOn: '2009-04-01',
    lease: 'owned',
    control: [owned('2009-04-01')],
  },
  {
    ...sacramento,
    level: 'building',
    within: 'AUB',
    code: 'AUB-S',
    name: 'Service wing',
    type: 'workshop',
    lot: 'NGS',
    address: '5570 Auburn Blvd',
    postalCode: '95841',
    floorArea: '31500',
    staff: 38,
    openedOn: '2012-09-01',
    lease: 'owned',
    control: [owned('2012-09-01')],
  },
  {
    ...sacramento,
    level: 'building',
    within: 'AUB',
    code: 'AUB-P',
    name: 'Body and paint',
    type: 'paint_shop',
    address: '5576 Auburn Blvd',
    postalCode: '95841',
    floorArea: '12400',
    staff: 11,
    openedOn: '2018-03-01',
    lease: 'operating_lease',
    control: [
      { validFrom: '2018-03-01', ownership: '40', operationalControl: false, financialControl: false },
      { validFrom: '2024-07-01', ownership: '60', operationalControl: true, financialControl: true },
    ],
  },
  {
    level: 'site',
    code: 'WSA',
    name: 'West Sacramento',
    type: 'showroom',
    lot: 'NGP',
    address: '1 Harbor Ct',
    city: 'West Sacramento',
    region: 'CA',
    country: 'US',
    gridRegion: 'CAMX',
    postalCode: '95691',
    floorArea: '14800',
    staff: 17,
    openedOn: '2016-06-01',
    lease: 'operating_lease',
    control: [owned('2016-06-01')],
  },
  {
    ...sacramento,
    level: 'site',
    code: 'MAD',
    name: 'Madison Avenue storage',
    type: 'storage_lot',
    address: '6100 Madison Ave',
    postalCode: '95841',
    floorArea: '900',
    staff: 0,
    openedOn: '2014-01-01',
    closedOn: '2025-06-30',
    lease: 'operating_lease',
    control: [owned('2014-01-01')],
  },
]

export const TOYOTA_FACILITIES: readonly DemoFacility[] = [
  {
    ...sacramento,
    level: 'site',
    code: 'FUL',
    name: 'Fulton Avenue',
    type: 'showroom',
    lot: 'NGT',
    address: '2100 Fulton Ave',
    postalCode: '95825',
    floorArea: '39600',
    staff: 52,
    openedOn: '2011-05-15',
    lease: 'owned',
    control: [owned('2011-05-15')],
  },
  {
    ...sacramento,
    level: 'building',
    within: 'FUL',
    code: 'FUL-W',
    name: 'Fulton wash',
    type: 'car_wash',
    floorArea: '2600',
    openedOn: '2019-02-01',
    lease: 'owned',
    control: [{ ...owned('2019-02-01'), ownership: '75', financialControl: false }],
  },
  {
    level: 'site',
    code: 'FUX',
    name: 'Fulton overflow',
    type: 'storage_lot',
    lot: 'NGX',
    city: 'Sacramento',
    region: 'CA',
    country: 'US',
    lease: 'operating_lease',
    control: [owned('2022-01-01')],
  },
]

const kept = { owner: 'northgate.sustain', approver: 'northgate.admin', keeper: 'northgate.sustain' } as const

/** Two closed years and the current one. */
export const FORD_INVENTORIES: readonly DemoInventory[] = [
  { ...kept, yearsAgo: 2, status: 'locked', isBaseYear: true },
  {
    ...kept,
    yearsAgo: 1,
    status: 'locked',
    excluded: { MAD: 'Lease ended in June; the landlord paid the bills.' },
    bought: { certificates: 'AUB', supplier: 'AUB-S' },
  },
  { ...kept, yearsAgo: 0, status: 'collecting', excluded: { MAD: 'Lease ended the year before.' } },
]

/** The base year was restated when the car wash was acquired. Next year has no data owners yet. */
export const TOYOTA_INVENTORIES: readonly DemoInventory[] = [
  {
    ...kept,
    yearsAgo: 2,
    status: 'locked',
    isBaseYear: true,
    excluded: { 'FUL-W': 'Operated by its former owner.' },
    restated: {
      includes: ['FUL-W'],
      reason: 'The car wash was acquired, so the base year is restated as if we had always owned it.',
    },
  },
  {
    ...kept,
    yearsAgo: 1,
    status: 'approved',
    asksToReopen: 'The December gas bill of the body shop was credited in March.',
  },
  { owner: kept.owner, approver: kept.approver, yearsAgo: -1, status: 'draft' },
  { ...kept, yearsAgo: 0, status: 'collecting' },
]

const water = {
  scopes: ['3.1'],
  region: 'US-CAMX',
  unit: 'gallon',
  boundary: 'supply' as const,
  validFrom: '2020-01-01',
  sourceNote: 'Valley Water, statement on energy for supply and treatment, 2024',
  isForAll: true,
}

/** There are no published US factors for water, so these come from the utility. */
export const WATER_FACTORS: readonly FactorInput[] = [
  {
    ...water,
    name: 'Valley Water, supply',
    category: 'Water > Supply',
    activity: 'water/supply',
    gases: [{ gas: 'CO2e', basis: 'co2e', kg: '0.00061' }],
  },
  {
    ...water,
    scopes: ['3.5'],
    name: 'Valley Water, treatment',
    category: 'Water > Treatment',
    activity: 'water/treatment',
    gases: [{ gas: 'CO2e', basis: 'co2e', kg: '0.00074' }],
  },
]
