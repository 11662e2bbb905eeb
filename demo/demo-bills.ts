import type { FACILITY_TYPES } from '#contract/organizations/facilities/facility-schema.ts'
import { seededBy } from './chance.ts'

type FacilityType = (typeof FACILITY_TYPES)[number]

/** The profile of a facility, which determines its consumption. */
export type DemoPlace = {
  code: string
  type: FacilityType | null
  floorArea: number
  staff: number
  openedOn: string | null
  closedOn: string | null
}

/** A bill, meter reading, statement or estimate of one source. */
export type DemoBill = {
  sourceType: string
  periodStart: string
  periodEnd: string
  quantity: string
  kind: 'calculated' | 'meter' | 'estimate'
  meterFrom: string | null
  meterTo: string | null
  quality: number
  reference: string | null
  comment: string | null
}

type Habit = {
  /** `tens`: fuel cards have three statements a month. */
  comes: 'month' | 'quarter' | 'tens'
  perYear: (place: DemoPlace) => number
  season: readonly number[]
  quality: number
  /** It is billed; late bills are estimated. */
  isBilled?: true
}

const LEVEL = Array.from({ length: 12 }, () => 1)
const HEATING = [1.9, 1.7, 1.4, 1, 0.6, 0.35, 0.3, 0.3, 0.4, 0.7, 1.4, 1.95]
const COOLING = [0.88, 0.85, 0.86, 0.9, 1, 1.15, 1.3, 1.28, 1.14, 1, 0.88, 0.9]

const KWH_A_FOOT: Partial<Record<FacilityType, number>> = {
  showroom: 16,
  workshop: 13,
  paint_shop: 24,
  car_wash: 42,
}
const THERMS_A_FOOT: Partial<Record<FacilityType, number>> = {
  showroom: 0.22,
  workshop: 0.34,
  paint_shop: 1.1,
}
const of = (rates: Partial<Record<FacilityType, number>>, { type, floorArea }: DemoPlace) =>
  type === null ? 0 : (rates[type] ?? 0) * floorArea
const byStaff = (each: number) => (place: DemoPlace) => place.staff * each

/** The yearly consumption of a dealership, in the usual US unit of each source. */
const HABITS: Readonly<Record<string, Habit>> = {
  electricity: {
    comes: 'month',
    perYear: (place) => of(KWH_A_FOOT, place) + (place.type === 'storage_lot' ? 21_000 : 0),
    season: COOLING,
    quality: 1,
    isBilled: true,
  },
  natural_gas: {
    comes: 'month',
    perYear: (place) => of(THERMS_A_FOOT, place),
    season: HEATING,
    quality: 1,
    isBilled: true,
  },
  company_cars: { comes: 'tens', perYear: byStaff(22), season: LEVEL, quality: 2 },
  demo_cars: { comes: 'tens', perYear: byStaff(34), season: LEVEL, quality: 2 },
  petrol: { comes: 'month', perYear: () => 1_850, season: LEVEL, quality: 2 },
  refrigerant_building: {
    comes: 'quarter',
    perYear: ({ floorArea }) => floorArea * 0.00012,
    season: COOLING,
    quality: 2,
  },
  refrigerant_vehicles: { comes: 'month', perYear: byStaff(0.55), season: COOLING, quality: 2 },
  waste_mixed: { comes: 'month', perYear: byStaff(0.42), season: LEVEL, quality: 3 },
  waste_metal: { comes: 'month', perYear: byStaff(0.9), season: LEVEL, quality: 2 },
  waste_tires: { comes: 'month', perYear: byStaff(0.35), season: LEVEL, quality: 2 },
  waste_oil: { comes: 'quarter', perYear: byStaff(0.2), season: LEVEL, quality: 2 },
  water: {
    comes: 'month',
    perYear: ({ type, staff }) => (type === 'car_wash' ? 2_600_000 : staff * 3_400),
    season: COOLING,
    quality: 1,
    isBilled: true,
  },
  waste_water: { comes: 'month', perYear: () => 2_280_000, season: COOLING, quality: 3 },
  commuting: { comes: 'month', perYear: byStaff(5_400), season: LEVEL, quality: 4 },
}

/** Comments on some of the bills. */
const NOTES: Readonly<Record<string, string>> = {
  electricity: 'The showroom air conditioning was left on over a weekend.',
  natural_gas: 'The utility read the meter a day late.',
  company_cars: 'One card was replaced. Both numbers are on the statement.',
  demo_cars: 'A weekend of test drives.',
  refrigerant_vehicles: 'Weighed before and after by the service department.',
  waste_metal: 'Two loads, weighed at the yard.',
  water: 'A leaking pipe was repaired.',
  commuting: 'Based on the spring survey and this month\u2019s attendance.',
}
/** Percentage of bills with a comment. */
const NOTED = 5

/** This utility reads the meter on the 16th, so its bills span months and years. */
const READ_ON_THE_16TH = new Set(['WSA electricity'])
/** Entered as meter readings; the consumption is the difference. */
const METERED = new Set(['FUL electricity'])

/** How often bills of a demo source are expected. */
export const frequencyOf = (sourceType: string) =>
  HABITS[sourceType]?.comes === 'quarter' ? ('quarter' as const) : ('month' as const)

/**
 * The bills of one source in a year with periods that ended by `today`. A few are estimated or missing, more in the
 * current year.
 */
export function makeBills(
  place: DemoPlace,
  sourceType: string,
  { year, today, isClosed }: { year: number; today: string; isClosed: boolean },
): DemoBill[] {
  const habit = HABITS[sourceType]
  if (habit === undefined) return []
  let reading = 104_220 + (year % 10) * 600_000
  return periodsOf(habit, `${place.code} ${sourceType}`, year)
    .filter(({ to }) => to <= today && isOpen(place, to))
    .flatMap(({ from, to, month, share }): DemoBill[] => {
      const chance = seededBy(`${place.code} ${sourceType} ${from}`)
      const trend = 0.97 ** (Number(to.slice(0, 4)) - 2024)
      const season = habit.season[month - 1] ?? 1
      const amount = habit.perYear(place) * share * season * trend * (0.94 + chance.upTo(0.12))
      const quantity = amount.toFixed(amount >= 100 ? 0 : 3)
      const fate = chance.upTo(100)
      if (Number(quantity) === 0 || fate < (isClosed ? 1 : 5)) return []
      const isEstimate = habit.isBilled === true && fate > (isClosed ? 98 : 95)
      const isMetered = METERED.has(`${place.code} ${sourceType}`) && !isEstimate
      const counted = isMetered ? 'meter' : 'calculated'
      const kind = isEstimate ? 'estimate' : counted
      const meterFrom = reading
      reading += Number(quantity)
      return [
        {
          sourceType,
          periodStart: from,
          periodEnd: to,
          quantity,
          kind,
          meterFrom: isMetered ? String(meterFrom) : null,
          meterTo: isMetered ? String(reading) : null,
          quality: isEstimate ? 5 : habit.quality,
          comment: commentOf(sourceType, isEstimate ? null : chance.upTo(100)),
          reference: isEstimate
            ? null
            : `${place.code}-${to.slice(2, 7).replace('-', '')}-${chance.whole(1000, 9999)}`,
        },
      ]
    })
}

/** @param fate random number of a bill, 0 to 100; null for an estimate. */
function commentOf(sourceType: string, fate: number | null): string | null {
  if (fate === null) return 'The bill has not arrived.'
  return fate < NOTED ? (NOTES[sourceType] ?? null) : null
}

const isOpen = ({ openedOn, closedOn }: DemoPlace, day: string): boolean =>
  (openedOn === null || openedOn <= day) && (closedOn === null || day <= closedOn)

type Period = { from: string; to: string; month: number; share: number }

const day = (year: number, month: number, date: number): string =>
  new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10)

function periodsOf({ comes }: Habit, key: string, year: number): Period[] {
  if (READ_ON_THE_16TH.has(key)) {
    return Array.from({ length: 13 }, (_, at) => ({
      from: day(year, at, 17),
      to: day(year, at + 1, 16),
      month: (at % 12) + 1,
      share: 1 / 12,
    }))
  }
  if (comes === 'quarter') {
    return [1, 4, 7, 10].map((month) => ({
      from: day(year, month, 1),
      to: day(year, month + 3, 0),
      month: month + 1,
      share: 1 / 4,
    }))
  }
  const months = Array.from({ length: 12 }, (_, at) => at + 1)
  if (comes === 'month') {
    return months.map((month) => ({
      from: day(year, month, 1),
      to: day(year, month + 1, 0),
      month,
      share: 1 / 12,
    }))
  }
  return months.flatMap((month) => [
    { from: day(year, month, 1), to: day(year, month, 10), month, share: 1 / 36 },
    { from: day(year, month, 11), to: day(year, month, 20), month, share: 1 / 36 },
    { from: day(year, month, 21), to: day(year, month + 1, 0), month, share: 1 / 36 },
  ])
}
