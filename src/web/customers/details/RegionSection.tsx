import { Select } from '@mantine/core'
import { DISTANCE_UNITS } from '#contract/customers/details/details.ts'
import { PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { TimeZoneSelect } from '#web/ui/form/TimeZoneSelect.tsx'
import { UNIT_NAMES } from './details-form.ts'
import type { DetailsRecord } from './details-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

const currencyNames = new Intl.DisplayNames(undefined, { type: 'currency' })
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code}, ${currencyNames.of(code) ?? code}`,
}))
const UNITS = DISTANCE_UNITS.map((value) => ({ value, label: UNIT_NAMES[value] }))
const LAWS = PRICE_LAWS.map(({ value, label }) => ({ value, label }))

/** The customer's time zone, currency, distance unit and price rules. */
export function RegionSection({ record }: { record: DetailsRecord }) {
  const { field, form } = record
  const { timeZone, priceLaw } = form.values
  return (
    <FormSection
      title="Region and prices"
      text="How times, amounts and distances are shown to you and your buyers."
    >
      <TimeZoneSelect {...field('timeZone')} value={timeZone} required allowDeselect={false} />
      <Select
        {...field('currency')}
        data={CURRENCIES}
        limit={60}
        searchable
        required
        allowDeselect={false}
        nothingFoundMessage="No matching currency"
      />
      <Select {...field('distanceUnit')} data={UNITS} allowDeselect={false} />
      <Select
        {...field('priceLaw')}
        data={LAWS}
        allowDeselect={false}
        description={
          <bdi>
            {PRICE_LAWS.find(({ value }) => value === priceLaw)?.help} Applies to lots that have no rules of
            their own and no known state. This is guidance, not legal advice.
          </bdi>
        }
      />
    </FormSection>
  )
}
