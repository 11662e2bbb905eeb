import { Button, Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { CONDITION_VARIABLES } from '#contract/pricing/rules/rule-conditions.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import { ROUNDING_MODES, RULE_FIELDS, RULE_KINDS, type RuleKind } from '#contract/pricing/rules/rule-kinds.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { BLANK_STEP, type RuleValues } from './rule-form.ts'

const AdvancedDialog = lazy(async () => ({
  default: (await import('#web/ui/filter/rules/AdvancedDialog.tsx')).AdvancedDialog,
}))

const KINDS = RULE_KINDS.map(({ value, label }) => ({ value, label }))
const MODES = ROUNDING_MODES.map(({ value, label }) => ({ value, label }))
const FIELDS = RULE_FIELDS.map(({ value, label }) => ({ value, label }))

/** What each kind does, below its name. */
const KIND_HELP: Readonly<Record<RuleKind, string>> = {
  base: 'Replaces the price, for example with 95% of MSRP. If several apply, the lowest wins.',
  accessory: 'Adds the price of something installed on the vehicle.',
  discount: 'Lowers the price for every buyer.',
  rebate:
    'Lowers the price for every buyer, if the price rules of the lot allow it. Otherwise it is listed below the price.',
  ceiling: 'No price goes above this, for example 100% of MSRP. A lowest price above it wins.',
  floor: 'No price goes below this, for example cost plus $500, or a minimum advertised price.',
  rounding: 'Rounds to an ending, for example to prices that end in 95.',
  offer: 'Listed below the price for buyers who qualify. Never subtracted.',
}

type Props = {
  record: RecordFormState<RuleValues, PricingRule>
  /** Null for a new one. */
  rule: PricingRule | null
  currency: string
}

/** The fields of a rule; those that its kind doesn't use are hidden. */
export function RuleFields({ record, rule, currency }: Props) {
  const { field, form, isReadOnly } = record
  const { kind } = form.values
  const isCalculated = kind !== 'rounding'
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        className="fc-wide"
        {...(rule === null && { 'data-autofocus': true })}
        required
        maxLength={100}
        autoComplete="off"
      />
      <Select
        {...field('kind')}
        className="fc-wide"
        data={KINDS}
        allowDeselect={false}
        description={<bdi>{KIND_HELP[kind]}</bdi>}
      />
      <VehicleFields record={record} />
      <Money
        record={record}
        name="cents"
        currency={currency}
        label={kind === 'rounding' ? 'Ending' : 'Amount'}
      />
      {isCalculated ? (
        <>
          <TextInput {...field('percent')} inputMode="decimal" autoComplete="off" className="fc-amount" />
          <Select
            {...field('field')}
            value={form.values.field || null}
            data={FIELDS}
            clearable
            placeholder="Choose an amount"
          />
        </>
      ) : (
        <>
          <Money record={record} name="stepCents" currency={currency} label="Repeats every" />
          <Select {...field('roundingMode')} data={MODES} allowDeselect={false} />
        </>
      )}
      {(kind === 'discount' || kind === 'rebate') && <StepFields record={record} />}
      {(kind === 'discount' || kind === 'rebate' || kind === 'accessory') && (
        <TextInput
          {...field('exclusiveGroup')}
          className="fc-wide"
          maxLength={60}
          autoComplete="off"
          description={
            <bdi>Of the rules in the same group, only the one with the best price for the buyer applies.</bdi>
          }
        />
      )}
      <BuyerFields record={record} />
      <TextInput {...field('fromMinute')} type="datetime-local" max="2100-12-31T00:00" />
      <TextInput
        {...field('untilMinute')}
        type="datetime-local"
        max="2100-12-31T00:00"
        description={<bdi>In the time zone of each lot.</bdi>}
      />
      <Checkbox
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        className="fc-wide"
        size="sm"
        label="Active"
        disabled={isReadOnly}
      />
    </div>
  )
}

/** What buyers read of the rule. */
function BuyerFields({ record: { field, form } }: Pick<Props, 'record'>) {
  const { kind } = form.values
  return (
    <>
      {kind === 'offer' && (
        <TextInput {...field('qualifier')} className="fc-wide" required maxLength={200} autoComplete="off" />
      )}
      {(kind === 'offer' || kind === 'rebate') && (
        <Textarea
          {...field('disclaimer')}
          className="fc-wide"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={500}
          description={<bdi>What buyers read beside the offer, for example the terms of financing.</bdi>}
        />
      )}
      {kind !== 'floor' && kind !== 'ceiling' && (
        <TextInput
          {...field('label')}
          className="fc-wide"
          maxLength={100}
          autoComplete="off"
          description={
            <bdi>
              On documents and on your website. Without it, buyers don't read the name above: an offer is
              called “Offer”, and a discount has no line of its own.
            </bdi>
          }
        />
      )}
    </>
  )
}

function Money({
  record: { field },
  name,
  currency,
  label,
}: {
  record: RecordFormState<RuleValues, PricingRule>
  name: 'cents' | 'stepCents'
  currency: string
  label: string
}) {
  return (
    <TextInput
      {...field(name)}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      className="fc-amount"
      rightSection={<bdi className="fc-small fc-faint">{currency}</bdi>}
      rightSectionWidth={44}
    />
  )
}

/** Which vehicles the rule matches. */
function VehicleFields({ record }: { record: RecordFormState<RuleValues, PricingRule> }) {
  const { field, form, isReadOnly } = record
  const [isOpen, setOpen] = useState(false)
  const lots = useLotNames(form.values.lotIds)
  return (
    <>
      <div className="fc-wide fc-channel-rule">
        <Textarea
          {...field('condition')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={4_000}
          placeholder="Every vehicle with a price"
          spellCheck={false}
          dir="ltr"
        />
        <Button variant="default" disabled={isReadOnly} onClick={() => setOpen(true)}>
          Build filter
        </Button>
      </div>
      <MultiSelect
        {...field('lotIds')}
        className="fc-wide"
        data={lots.choices}
        onSearchChange={lots.search}
        searchable
        clearable
        placeholder="All lots"
        nothingFoundMessage="No matching lot"
      />
      {isOpen && (
        <Suspense>
          <AdvancedDialog
            list={VEHICLE_LIST}
            endpoint={vehicles.list}
            variables={CONDITION_VARIABLES}
            search=""
            filter={form.values.condition}
            onApply={(text) => {
              form.setFieldValue('condition', text)
              setOpen(false)
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Amounts that grow with the days in stock. */
function StepFields({ record }: { record: RecordFormState<RuleValues, PricingRule> }) {
  const { form, isReadOnly } = record
  return (
    <section className="fc-wide fc-form-section fc-rule-steps" aria-labelledby="rule-steps">
      <h3 id="rule-steps">By days in stock</h3>
      <EditableList
        record={record}
        name="steps"
        rows={form.values.steps}
        blank={BLANK_STEP}
        noun="step"
        nameOf={({ days }) => (days === '' ? '' : `${days} days`)}
        empty="The same amount from the first day."
      >
        {(_step, path) => (
          <>
            <TextInput
              label="From day"
              {...form.getInputProps(`${path}.days`)}
              readOnly={isReadOnly}
              required
              inputMode="numeric"
              autoComplete="off"
            />
            <TextInput
              label="Amount"
              {...form.getInputProps(`${path}.cents`)}
              readOnly={isReadOnly}
              inputMode="decimal"
              autoComplete="off"
              className="fc-amount"
            />
            <TextInput
              label="Percentage"
              {...form.getInputProps(`${path}.percent`)}
              readOnly={isReadOnly}
              inputMode="decimal"
              autoComplete="off"
              className="fc-amount"
            />
          </>
        )}
      </EditableList>
    </section>
  )
}
