import { fieldSentences } from '#contract/field-sentences.ts'
import { type Lot, NewLot } from '#contract/customers/lots.ts'
import { showValue } from '#web/ui/form/show-value.ts'

export const TYPE_NAMES: Record<Lot['type'], string> = {
  new: 'New',
  used: 'Used',
  both: 'New and used',
  service: 'Service',
}

/** What the form holds: text wherever a person types, empty for "not given". */
export type LotValues = {
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
  isPublic: boolean
}

/** How fields are called, in the order of the form; the comparison of a stale lot reads it too. */
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
  dealerIds: 'Dealer ids',
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
  isPublic: true,
}

export function toValues(lot: Lot): LotValues {
  const { code, name, type, organizationId, makes, dealerIds, isPublic } = lot
  return {
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

/** As the contract takes it. Without an organization the lot belongs to the one the person acts in. */
export function toInput({ organizationId, timeZone, ...values }: LotValues): NewLot {
  return { ...values, timeZone: timeZone === '' ? null : timeZone, ...(organizationId && { organizationId }) }
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkLot(values: LotValues): Record<string, string> {
  const { error } = NewLot.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** A field as words, for the comparison. The organization is known by name only where it is the lot's own. */
export function showField(name: string, values: LotValues, lot?: Lot): string {
  const { type, organizationId } = values
  if (name === 'type') return TYPE_NAMES[type]
  if (name === 'organizationId' && organizationId === lot?.organizationId) return lot.organizationName
  return showValue({ ...values }[name])
}

/** "2100 Fulton Ave, Sacramento, CA 95825". */
export function showAddress({ address, city, region, postalCode }: Lot): string {
  const place = [region, postalCode].filter(Boolean).join(' ')
  return [address, city, place].filter(Boolean).join(', ')
}
