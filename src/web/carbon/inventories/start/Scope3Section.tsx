import { Select, TextInput } from '@mantine/core'
import { RELEVANCES, SCOPE3_CATEGORIES } from '#contract/carbon/inventories/inventory-schema.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { RELEVANCE_NAMES } from './start-form.ts'
import type { StartRecord } from './start-record.ts'

const CHOICES = RELEVANCES.map((value) => ({ value, label: RELEVANCE_NAMES[value] }))

/** The scope 3 categories: which are relevant, and why others aren't. */
export function Scope3Section({ record }: { record: StartRecord }) {
  const { form, change, isReadOnly } = record
  const { scope3 } = form.values
  return (
    <FormSection
      title="Scope 3"
      text="All 15 categories. Totals list those that weren't assessed. Enter a reason for each one that isn't relevant."
    >
      <ol className="fc-carbon-categories fc-wide">
        {scope3.map(({ category, relevance }, at) => {
          const name = SCOPE3_CATEGORIES[category - 1] ?? ''
          return (
            <li key={category}>
              <span>
                <bdi>
                  {category}. {name}
                </bdi>
              </span>
              <Select
                aria-label={`Relevance of ${name}`}
                data={CHOICES}
                value={relevance}
                readOnly={isReadOnly}
                allowDeselect={false}
                onChange={(value) =>
                  change({
                    scope3: scope3.map((row) =>
                      row.category === category
                        ? { ...row, relevance: RELEVANCES.find((one) => one === value) ?? relevance }
                        : row,
                    ),
                  })
                }
              />
              <TextInput
                aria-label={`Reason for ${name}`}
                placeholder={relevance === 'not_relevant' ? "Why it isn't relevant" : 'Reason'}
                {...form.getInputProps(`scope3.${at}.reason`)}
                readOnly={isReadOnly}
                maxLength={500}
                autoComplete="off"
              />
            </li>
          )
        })}
      </ol>
    </FormSection>
  )
}
