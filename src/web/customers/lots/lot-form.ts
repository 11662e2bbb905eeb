import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { type Lot, LOT_TYPES, lotRecord } from '#contract/customers/lots/lots.ts'
import { labelOf } from '#contract/record.ts'
import { hoursForm, showHolidays } from '#web/ui/record/opening-hours/hours-form.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** The form of a lot: its fields, with the opening hours as text. */
export const lotForm = recordForm(lotRecord, hoursForm)
export type LotValues = typeof lotForm.blank

/** A field's display text, for comparisons. Only the lot's own organization is known by name. */
export function showField(name: string, values: LotValues, lot?: Lot): string {
  const { type, organizationId, holidays, priceLaw } = values
  if (name === 'type') return labelOf(LOT_TYPES, type)
  if (name === 'priceLaw' && priceLaw !== '') return labelOf(PRICE_LAWS, priceLaw)
  if (name === 'organizationId' && organizationId === lot?.organizationId) return lot.organizationName
  if (name === 'holidays') return showHolidays(holidays)
  return showValue({ ...values }[name])
}

/** "2100 Fulton Ave, Sacramento, CA 95825". */
export function showAddress({
  address,
  city,
  region,
  postalCode,
}: Pick<Lot, 'address' | 'city' | 'region' | 'postalCode'>): string {
  const place = [region, postalCode].filter(Boolean).join(' ')
  return [address, city, place].filter(Boolean).join(', ')
}
