import type { Definition } from '#contract/questions/definition.ts'
import { seededBy } from './chance.ts'

/** A facility as its people describe it. `level`: how far it is, from 0 to 4. */
export type DemoSite = {
  code: string
  areas: readonly string[]
  floorArea: number
  employees: number
  level: number
}

export const DEMO_SITES: readonly DemoSite[] = [
  {
    code: 'AUB',
    areas: ['showroom', 'service', 'parts', 'charging', 'wash'],
    floorArea: 48_200,
    employees: 64,
    level: 3,
  },
  { code: 'AUB-S', areas: ['service', 'parts'], floorArea: 31_500, employees: 38, level: 3 },
  { code: 'AUB-P', areas: ['body_shop', 'service'], floorArea: 12_400, employees: 11, level: 2 },
  { code: 'WSA', areas: ['showroom', 'wash'], floorArea: 14_800, employees: 17, level: 2 },
  { code: 'MAD', areas: ['other'], floorArea: 900, employees: 2, level: 1 },
  {
    code: 'FUL',
    areas: ['showroom', 'service', 'parts', 'charging'],
    floorArea: 39_600,
    employees: 52,
    level: 3,
  },
  { code: 'FUL-W', areas: ['wash'], floorArea: 4_200, employees: 5, level: 2 },
  { code: 'FUX', areas: ['other'], floorArea: 600, employees: 1, level: 1 },
]

export type DemoAnswer = { questionCode: string; rowKey: string; value: unknown }

/** The answers of one site to all questions of a template in its order. Not every one is asked there. */
export function answersOf(definition: Definition, site: DemoSite, year: number): DemoAnswer[] {
  const chance = seededBy(`${site.code} ${year}`)
  const figures = figuresOf(site, year)
  const bills = billsOf(site, year)
  return definition.sections.flatMap(({ questions }) =>
    questions.flatMap(({ code, type }): DemoAnswer[] => {
      if (type === 'table')
        return (bills[code] ?? []).map((value, at) => ({
          questionCode: code,
          rowKey: `row-${at + 1}`,
          value,
        }))
      if (type === 'note' || type === 'computed') return []
      const known = figures[code]
      if (known !== undefined) return [{ questionCode: code, rowKey: '', value: known }]
      // A maturity question: near the level of the site.
      const level = Math.min(4, Math.max(0, site.level + chance.whole(-1, 1)))
      return type === 'single' ? [{ questionCode: code, rowKey: '', value: String(level) }] : []
    }),
  )
}

/** Each year uses 4% less energy than the one before. */
const useOf = (site: DemoSite, year: number): number => site.floorArea * 0.96 ** (year - 2024)

function figuresOf(site: DemoSite, year: number): Readonly<Record<string, unknown>> {
  const { areas, floorArea, employees } = site
  const has = (area: string) => areas.includes(area)
  const bays = has('service') ? Math.max(2, Math.round(floorArea / 1_500)) : 0
  const electricity = Math.round(useOf(site, year) * 13)
  return {
    // Dealer site
    floor_area: String(floorArea),
    lot_area: String(floorArea * 2),
    employees: String(employees),
    vehicles_sold: String(has('showroom') ? employees * 31 : 0),
    repair_orders: String(bays * 410),
    open_hours: '66',
    areas: [...areas],
    electricity: String(electricity),
    natural_gas: String(Math.round(useOf(site, year) * 0.28)),
    solar: String(site.code === 'AUB' ? 61_400 : 0),
    water: String(employees * 5_200),
    hazardous_waste: String(bays),
    other_waste: String(employees),
    recycled: String(Math.round((bays + employees) * 0.4)),
    incidents: site.code === 'AUB-P',
    incident_details:
      'A drum of waste thinner leaked inside its tray. The tray held it, and the drum was replaced.',
    electric_share: '14',
    // Dealer energy
    outdoor_area: String(floorArea * 2),
    year_built: String(1978 + (floorArea % 40)),
    weekly_hours: '66',
    workers: String(employees),
    heated_share: has('service') ? '80' : '95',
    cooled_share: has('service') ? '55' : '90',
    service_bays: String(bays),
    bay_doors: String(Math.ceil(bays / 2)),
    has_paint_booth: has('body_shop'),
    paint_booths: '2',
    has_car_wash: has('wash'),
    washes: '11200',
    compressor_power: has('service') ? '40' : '0',
    charging_stations: has('charging') ? '6' : '0',
    charging_power: '172',
    has_server_room: has('showroom'),
    has_natural_gas: has('service') || has('body_shop'),
    vehicle_charging: has('charging') ? String(Math.round(electricity * 0.06)) : '0',
  }
}

type Bill = { start: string; end: string; amount: string; cost: string }

/** One bill a month. Cooling makes electricity peak in July, heating makes gas peak in January. */
function billsOf(site: DemoSite, year: number): Readonly<Record<string, readonly Bill[]>> {
  const months = Array.from({ length: 12 }, (_, at) => at)
  const bill = (amount: number, month: number, price: number): Bill => ({
    start: day(year, month, 1),
    end: day(year, month + 1, 0),
    amount: String(Math.round(amount)),
    cost: (Math.round(amount) * price).toFixed(2),
  })
  const season = (month: number, peak: number) => 1 + 0.35 * Math.cos(((month - peak) / 6) * Math.PI)
  const use = useOf(site, year)
  return {
    electricity_bills: months.map((month) => bill((use * 13 * season(month, 6)) / 12, month, 0.24)),
    gas_bills: months.map((month) => bill((use * 0.28 * season(month, 0)) / 12, month, 1.62)),
  }
}

const day = (year: number, month: number, date: number): string =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
