import { Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { CONDITION_VARIABLES } from '#contract/pricing/rules/rule-conditions.ts'
import { type PricingRule, whenMissingOf } from '#contract/pricing/rules/pricing-rules.ts'
import {
  ROUNDING_MODES,
  RULE_FIELDS,
  RULE_KINDS,
  type RuleKind,
  WHEN_MISSING,
  type WhenMissing,
} from '#contract/pricing/rules/rule-kinds.ts'
import { LIMITED_KINDS } from '#contract/pricing/rules/reduction-limits.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { ConditionField } from '#web/ui/filter/ConditionField.tsx'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { BLANK_STEP, type RuleValues } from './rule-form.ts'

const KINDS = RULE_KINDS.map(({ value, label }) => ({ value, label }))
const MODES = ROUNDING_MODES.map(({ value, label }) => ({ value, label }))
const MISSING = WHEN_MISSING.map(({ value, label }) => ({ value, label }))
const FIELDS = RULE_FIELDS.map(({ value, label }) => ({ value, label }))

/** What each kind does, below its name. */
const KIND_HELP: Readonly<Record<RuleKind, string>> = {
  base: 'Replaces the price, for example with 95% of MSRP. If several apply, the lowest wins.',
  accessory: 'Adds the price of something installed on the vehicle.',
  discount: 'Lowers the price for every buyer.',
  rebate:
    'Lowers the price for every buyer, if the price rules of the lot allow it. Otherwise it is listed below the price.',
  ceiling: 'No price goes above this, for example 100% of MSRP. A minimum price above it wins.',
  floor:
    'No price goes below this, for example a minimum advertised price (MAP). It raises prices that are lower. To limit only one discount, use the limits of the discount.',
  rounding: 'Rounds to an ending, for example to prices that end in 95.',
  offer: 'Listed below the price for buyers who qualify. Never subtracted.',
}

const BEST = 'Of the rules in the same group, only the one with the best price for the buyer applies.'
const GROUP_HELP: Readonly<Partial<Record<RuleKind, string>>> = {
  accessory: BEST,
  discount: BEST,
  rebate: BEST,
  floor:
    'Of the minimum prices in the same group, the one that started last applies: with a start and an end, it replaces the standing one for that time.',
}

/** What each choice for missing amounts means. */
const MISSING_HELP: Readonly<Record<'reduction' | 'floor', Readonly<Record<WhenMissing, string>>>> = {
  reduction: {
    skip: 'The rule leaves vehicles without the amount as they are.',
    cost: 'The limit of vehicles without the amount is their cost plus the same amount.',
    stop: "The rule can't be saved while a matching vehicle lacks the amount.",
  },
  floor: {
    skip: 'Vehicles without the amount have no minimum price.',
    cost: 'The minimum price of vehicles without the amount is calculated from their cost.',
    stop: 'No rule lowers the price of vehicles without the amount.',
  },
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
      {LIMITED_KINDS.includes(kind) && <LimitFields record={record} currency={currency} />}
      {kind === 'floor' && <WhenMissingField record={record} />}
      {kind in GROUP_HELP && (
        <TextInput
          {...field('exclusiveGroup')}
          className="fc-wide"
          maxLength={100}
          autoComplete="off"
          description={<bdi>{GROUP_HELP[kind]}</bdi>}
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
              On documents, and for offers on your website. Without it, buyers don't read the name above: an
              offer is called “Offer”, and a discount has no line of its own.
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
  name: 'cents' | 'stepCents' | 'aboveCostCents' | 'aboveInvoiceCents'
  currency: string
  label?: string
}) {
  return (
    <TextInput
      {...field(name)}
      {...(label !== undefined && { label })}
      inputMode="decimal"
      autoComplete="off"
      className="fc-amount"
      rightSection={<bdi className="fc-small fc-faint">{currency}</bdi>}
      rightSectionWidth={44}
    />
  )
}

/** How far the rule may lower a price. */
function LimitFields({ record, currency }: Pick<Props, 'record' | 'currency'>) {
  const { field, form, isReadOnly } = record
  const { aboveCostCents, aboveInvoiceCents, offMsrpPercent } = form.values
  const needsAmount = [aboveCostCents, aboveInvoiceCents, offMsrpPercent].some((text) => text.trim() !== '')
  return (
    <section className="fc-wide fc-form-section fc-rule-limits" aria-labelledby="rule-limits">
      <h3 id="rule-limits">Limits of this rule</h3>
      <p className="fc-small fc-soft">
        <bdi>
          Limits make the discount smaller and never raise a price. 0 means the cost or the invoice itself.
        </bdi>
      </p>
      <div className="fc-row-fields">
        <Money record={record} name="aboveCostCents" currency={currency} />
        <Money record={record} name="aboveInvoiceCents" currency={currency} />
        <TextInput
          {...field('offMsrpPercent')}
          inputMode="decimal"
          autoComplete="off"
          className="fc-amount"
        />
      </div>
      <Checkbox
        {...form.getInputProps('keepsMinimum', { type: 'checkbox' })}
        size="sm"
        label="Not below the minimum price (MAP)"
        disabled={isReadOnly}
      />
      {needsAmount && <WhenMissingField record={record} />}
    </section>
  )
}

function WhenMissingField({ record: { field, form } }: Pick<Props, 'record'>) {
  const { kind, whenMissing } = form.values
  const chosen = whenMissing || whenMissingOf(kind)
  return (
    <Select
      {...field('whenMissing')}
      value={chosen}
      className="fc-wide"
      data={MISSING}
      allowDeselect={false}
      description={<bdi>{MISSING_HELP[kind === 'floor' ? 'floor' : 'reduction'][chosen]}</bdi>}
    />
  )
}

/** Which vehicles the rule matches. */
function VehicleFields({ record }: { record: RecordFormState<RuleValues, PricingRule> }) {
  const { field, form, isReadOnly } = record
  const lots = useLotNames(form.values.lotIds)
  const { error } = form.getInputProps('condition')
  return (
    <>
      <ConditionField
        label="Vehicles"
        list={VEHICLE_LIST}
        endpoint={vehicles.list}
        variables={CONDITION_VARIABLES}
        value={form.values.condition}
        onChange={(text) => form.setFieldValue('condition', text)}
        error={typeof error === 'string' ? error : undefined}
        isReadOnly={isReadOnly}
        empty="Every vehicle with a price"
        max={4_000}
      />
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
