import { fieldSentences } from '#contract/field-sentences.ts'
import { type Lot, NewLot } from '#contract/customers/lots/lots.ts'
import { DAY_NAMES, WEEKDAYS, type Weekday } from '#contract/customers/lots/opening-hours.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { formatHours, readHours, UNREADABLE } from './hours-text.ts'

export const TYPE_NAMES: Record<Lot['type'], string> = {
  new: 'New',
  used: 'Used',
  both: 'New and used',
  service: 'Service',
}

/** A date with special hours; empty hours mean closed. */
export type HolidayRow = { on: string; name: string; hours: string }
export const BLANK_HOLIDAY: HolidayRow = { on: '', name: '', hours: '' }

/** Form values: text for every input, empty for none. The hours of each day are one line. */
export type LotValues = Record<Weekday, string> & {
  code: string
  name: string
  type: Lot['type']
  organizationId: string
  address: string
  city: string
  region: string
  postalCode: string
  phone: string
  timeZone: string
  makes: string[]
  dealerIds: string[]
  holidays: HolidayRow[]
  isPublic: boolean
}

/** Field labels, in form order; also used to compare an outdated lot. */
export const FIELD_NAMES: Record<keyof LotValues, string> = {
  code: 'Code',
  name: 'Name',
  type: 'Type',
  organizationId: 'Organization',
  address: 'Address',
  city: 'City',
  region: 'State or province',
  postalCode: 'Postal code',
  phone: 'Phone',
  timeZone: 'Time zone',
  makes: 'Makes',
  dealerIds: 'Dealer IDs',
  ...DAY_NAMES,
  holidays: 'Holidays',
  isPublic: 'On public pages',
}

export const BLANK: LotValues = {
  code: '',
  name: '',
  type: 'both',
  organizationId: '',
  address: '',
  city: '',
  region: '',
  postalCode: '',
  phone: '',
  timeZone: '',
  makes: [],
  dealerIds: [],
  mon: '',
  tue: '',
  wed: '',
  thu: '',
  fri: '',
  sat: '',
  sun: '',
  holidays: [],
  isPublic: true,
}

export function toValues(lot: Lot): LotValues {
  const { code, name, type, organizationId, makes, dealerIds, isPublic, hours, holidays } = lot
  const on = (day: Weekday): string => formatHours(hours.filter((one) => one.day === day))
  return {
    mon: on('mon'),
    tue: on('tue'),
    wed: on('wed'),
    thu: on('thu'),
    fri: on('fri'),
    sat: on('sat'),
    sun: on('sun'),
    holidays: holidays.map((day) => ({ ...day, hours: formatHours(day.hours) })),
    code,
    name,
    type,
    organizationId,
    makes,
    dealerIds,
    isPublic,
    address: lot.address ?? '',
    city: lot.city ?? '',
    region: lot.region ?? '',
    postalCode: lot.postalCode ?? '',
    phone: lot.phone ?? '',
    timeZone: lot.timeZone ?? '',
  }
}

/** Converts form values to the contract's input. Without an organization, the lot belongs to the user's current one. */
export function toInput(values: LotValues): NewLot {
  const { organizationId, timeZone, holidays, mon, tue, wed, thu, fri, sat, sun, ...others } = values
  const week = { mon, tue, wed, thu, fri, sat, sun }
  return {
    ...others,
    timeZone: timeZone === '' ? null : timeZone,
    ...(organizationId && { organizationId }),
    hours: WEEKDAYS.flatMap((day) => (readHours(week[day]) ?? []).map((period) => ({ day, ...period }))),
    holidays: holidays.map((day) => ({ ...day, hours: readHours(day.hours) ?? [] })),
  }
}

/** An error message for each invalid field: the contract's, and one for unreadable hours. */
export function checkLot(values: LotValues): Record<string, string> {
  const { error } = NewLot.safeParse(toInput(values))
  const { hours, ...sentences } = error ? fieldSentences(error) : {}
  // An error in the weekly hours starts with the day.
  const wrongDay = WEEKDAYS.find((day) => hours?.startsWith(DAY_NAMES[day]))
  const unread = [
    ...WEEKDAYS.filter((day) => readHours(values[day]) === null),
    ...values.holidays.flatMap((day, at) => (readHours(day.hours) === null ? `holidays.${at}.hours` : [])),
  ]
  return {
    ...sentences,
    ...(hours !== undefined && { [wrongDay ?? 'mon']: hours }),
    ...Object.fromEntries(unread.map((name) => [name, UNREADABLE])),
  }
}

/** A field's display text, for comparisons. Only the lot's own organization is known by name. */
export function showField(name: string, values: LotValues, lot?: Lot): string {
  const { type, organizationId } = values
  if (name === 'type') return TYPE_NAMES[type]
  if (name === 'organizationId' && organizationId === lot?.organizationId) return lot.organizationName
  if (name === 'holidays') return showValue(values.holidays.map(showHoliday))
  return showValue({ ...values }[name])
}

function showHoliday({ on, name, hours }: HolidayRow): string {
  return `${on} ${name} (${hours || 'closed'})`
}

/** "2100 Fulton Ave, Sacramento, CA 95825". */
export function showAddress({ address, city, region, postalCode }: Lot): string {
  const place = [region, postalCode].filter(Boolean).join(' ')
  return [address, city, place].filter(Boolean).join(', ')
}
