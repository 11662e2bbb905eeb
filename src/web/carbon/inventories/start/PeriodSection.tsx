import { Checkbox, Select, TextInput } from '@mantine/core'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import { CONSOLIDATION_HELP, CONSOLIDATION_NAMES } from '#web/organizations/index.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import type { StartRecord } from './start-record.ts'

const APPROACHES = CONSOLIDATIONS.map((value) => ({ value, label: CONSOLIDATION_NAMES[value] }))

/** The reporting period and the organizational boundary. */
export function PeriodSection({ record }: { record: StartRecord }) {
  const { field, form, change, isReadOnly } = record
  const { boundary, isBaseYear } = form.values
  return (
    <FormSection
      title="Period and boundary"
      text="Inventories with the same consolidation approach can't overlap. Later years are compared with the base year."
    >
      <TextInput {...field('name')} className="fc-wide" required maxLength={100} autoComplete="off" />
      <TextInput {...field('periodStart')} type="date" required />
      <TextInput {...field('periodEnd')} type="date" required />
      <Select
        {...field('boundary')}
        className="fc-wide"
        data={APPROACHES}
        value={boundary}
        allowDeselect={false}
        onChange={(value) => change({ boundary: CONSOLIDATIONS.find((one) => one === value) ?? boundary })}
        description={<bdi>{CONSOLIDATION_HELP[boundary]}</bdi>}
      />
      <Checkbox
        label="This is the base year"
        description={<bdi>The year that later years are compared with.</bdi>}
        checked={isBaseYear}
        disabled={isReadOnly}
        error={form.errors['isBaseYear']}
        onChange={(event) => change({ isBaseYear: event.currentTarget.checked })}
      />
      <NumberField
        takesText
        isText
        {...field('recalculationThreshold')}
        decimals={4}
        description={<bdi>Larger changes require recalculating the base year.</bdi>}
      />
    </FormSection>
  )
}
