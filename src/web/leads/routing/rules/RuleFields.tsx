import { Checkbox, Select, TextInput } from '@mantine/core'
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import type { LeadRoutingRule } from '#contract/leads/routing/lead-routing-rules.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { RuleValues } from './rule-form.ts'
import { RuleConditions, type RuleSettings } from './RuleConditions.tsx'
import { RuleTargets } from './RuleTargets.tsx'

type Props = {
  record: RecordFormState<RuleValues, LeadRoutingRule>
  /** Null for a new one. */
  rule: LeadRoutingRule | null
  blank: RuleValues
  settings: RuleSettings
  destinations: readonly LeadDestination[]
}

const UNITS = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
]

/** The fields of a rule: which leads, who gets them, and what happens then. */
export function RuleFields({ record, rule, blank, settings, destinations }: Props) {
  const { field, form, isReadOnly } = record
  const isCatchAll = rule?.isCatchAll === true
  const isStoreRule = Boolean(form.values.storeId)
  return (
    <div className="fc-form-fields fc-rule-fields">
      <TextInput
        {...field('name')}
        {...(rule === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={100}
        autoComplete="off"
      />
      {isCatchAll ? (
        <p className="fc-wide fc-small fc-soft">
          This rule gets every lead that no other rule has sent, so it has no conditions and can't be paused.
        </p>
      ) : (
        <RuleConditions record={record} blank={blank} settings={settings} />
      )}
      {!isCatchAll && (
        <Select
          {...field('storeId')}
          value={form.values.storeId || null}
          className="fc-wide"
          data={settings.lots.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          clearable
          placeholder="No: send to destinations"
          nothingFoundMessage="No matching store"
          description={
            <bdi>
              The lead belongs to this store from then on, and the rules below see it there. Leads that a
              person put into a store stay there.
            </bdi>
          }
        />
      )}
      {!isStoreRule && <RuleTargets record={record} destinations={destinations} />}
      <section className="fc-wide fc-rule-section" aria-labelledby="rule-then">
        <h3 id="rule-then">Then</h3>
        {!isStoreRule && (
          <div className="fc-rule-window">
            <TextInput
              {...field('dedupeMinutes')}
              inputMode="numeric"
              autoComplete="off"
              className="fc-amount"
              description={
                <bdi>
                  A later lead of the same person about the same vehicle is marked as a duplicate instead. 0:
                  send every lead.
                </bdi>
              }
            />
            <Select {...field('dedupeUnit')} label="Unit" data={UNITS} allowDeselect={false} />
          </div>
        )}
        {!isCatchAll && (
          <>
            {!isStoreRule && (
              <Checkbox
                {...form.getInputProps('stopsHere', { type: 'checkbox' })}
                size="sm"
                label="Stop after this rule"
                description={<bdi>Without this, later rules can send the lead to more destinations.</bdi>}
                disabled={isReadOnly}
              />
            )}
            <Checkbox
              {...form.getInputProps('isActive', { type: 'checkbox' })}
              size="sm"
              label="Active"
              disabled={isReadOnly}
            />
          </>
        )}
      </section>
    </div>
  )
}
