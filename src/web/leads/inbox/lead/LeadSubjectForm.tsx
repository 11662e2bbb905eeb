import '@mantine/core/styles/SimpleGrid.layer.css'
import { Fieldset, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldSentences } from '#contract/field-sentences.ts'
import { LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { ASKED_CONDITIONS, LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { typedNumber, unlessBlank } from '#contract/parsing/typed-number.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { setLeadInCache } from './use-lead-actions.ts'

const updateLead = send(leads.update)

const LABELS = {
  type: 'About',
  vehicleId: 'Vehicle in stock',
  condition: 'Condition asked for',
  year: 'Year',
  make: 'Make',
  model: 'Model',
  trim: 'Trim',
  mileage: 'Mileage',
  tradeCondition: 'Condition',
  vin: 'VIN',
}
type Values = Record<keyof typeof LABELS, string>

function valuesOf({ type, vehicleId, askedVehicle, tradeIn }: LeadRecord): Values {
  const text = (value: string | number | null | undefined) => String(value ?? '')
  const condition = ASKED_CONDITIONS.find(({ value }) => value === askedVehicle.condition)?.value
  return {
    type,
    vehicleId: text(vehicleId),
    condition: text(condition),
    year: text(tradeIn?.year),
    make: text(tradeIn?.make),
    model: text(tradeIn?.model),
    trim: text(tradeIn?.trim),
    mileage: text(tradeIn?.mileage),
    tradeCondition: text(tradeIn?.condition),
    vin: text(tradeIn?.vin),
  }
}

const TRADE_FIELDS = ['year', 'make', 'model', 'trim', 'mileage', 'tradeCondition', 'vin'] as const

function inputOf({ id, version }: { id: string; version: number }, values: Values, initial: Values) {
  const { type, vehicleId, condition, year, make, model, trim, mileage, tradeCondition, vin } = values
  const isTradeChanged = TRADE_FIELDS.some((name) => values[name] !== initial[name])
  const blank = (text: string) => (text.trim() === '' ? null : text)
  return {
    id,
    version,
    type: LEAD_TYPES.find(({ value }) => value === type)?.value,
    vehicleId: blank(vehicleId),
    ...(condition !== initial.condition && {
      condition: ASKED_CONDITIONS.find(({ value }) => value === condition)?.value ?? null,
    }),
    ...(isTradeChanged && {
      tradeIn: {
        year: unlessBlank(year, typedNumber),
        make: blank(make),
        model: blank(model),
        trim: blank(trim),
        mileage: unlessBlank(mileage, typedNumber),
        condition: blank(tradeCondition),
        vin: blank(vin),
      },
    }),
  }
}

/** Each message at its input: those of the trade-in are one level deeper in the call. */
const atInputs = (sentences: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sentences).map(([name, sentence]) => [
      name === 'tradeIn.condition' ? 'tradeCondition' : name.replace(/^tradeIn\./, ''),
      sentence,
    ]),
  )

/** Corrects what a lead is about, in a dialog. */
export function EditSubject({ lead }: { lead: LeadRecord }) {
  const edit = () =>
    void askFor<LeadRecord>('What the lead is about', (answer) => (
      <LeadSubjectForm lead={lead} onAnswer={answer} />
    )).then((saved) => {
      if (saved === null) return
      setLeadInCache(saved)
      toast('Lead saved', saved.personName)
    })
  return (
    <Action
      for={leads.update}
      variant="subtle"
      size="compact-xs"
      onClick={edit}
      aria-label="Edit what the lead is about"
    >
      Edit
    </Action>
  )
}

type Props = { lead: LeadRecord; onAnswer: (saved: LeadRecord | null) => void }

function LeadSubjectForm({ lead, onAnswer }: Props) {
  const initial = valuesOf(lead)
  const call = useCallForm({
    endpoint: leads.update,
    about: lead.id,
    initial,
    check: (values) => {
      const { error } = leads.update.input.safeParse(inputOf(lead, values, initial))
      return error ? atInputs(fieldSentences(error)) : {}
    },
    send: (values, newer) => updateLead(inputOf(newer ?? lead, values, initial)),
    stale: { thing: 'this lead', labels: LABELS, schema: LeadRecord, toValues: valuesOf },
    onDone: onAnswer,
  })
  const text = (name: 'make' | 'model' | 'trim' | 'tradeCondition' | 'vin') => (
    <TextInput {...call.field(name)} label={LABELS[name]} autoComplete="off" maxLength={100} />
  )
  const number = (name: 'year' | 'mileage', more: object = {}) => (
    <NumberField
      {...more}
      label={LABELS[name]}
      value={call.values[name]}
      onChange={(value) => call.change({ [name]: String(value) })}
      error={call.errors[name]}
      takesText
    />
  )
  return (
    <CallForm call={call} for={leads.update} confirm="Save lead" onCancel={() => onAnswer(null)}>
      <Select
        label={LABELS.type}
        data={[...LEAD_TYPES]}
        value={call.values.type}
        onChange={(type) => call.change({ type: type ?? '' })}
        error={call.errors['type']}
        allowDeselect={false}
        data-autofocus
      />
      <VehicleSelect
        lead={lead}
        value={call.values.vehicleId}
        error={call.errors['vehicleId']}
        onChange={(vehicleId) => call.change({ vehicleId })}
      />
      {call.values.vehicleId === '' && (
        <Select
          label={LABELS.condition}
          data={[...ASKED_CONDITIONS]}
          value={call.values.condition || null}
          onChange={(condition) => call.change({ condition: condition ?? '' })}
          placeholder="Not known"
          clearable
        />
      )}
      <TradeInFields>
        {number('year', { isPlain: true })}
        {text('make')}
        {text('model')}
        {text('trim')}
        {number('mileage')}
        {text('tradeCondition')}
        {text('vin')}
      </TradeInFields>
    </CallForm>
  )
}

const TradeInFields = ({ children }: { children: ReactNode }) => (
  <Fieldset legend="Trade-in" variant="unstyled">
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {children}
    </SimpleGrid>
  </Fieldset>
)

type VehicleProps = {
  lead: LeadRecord
  value: string
  error: string | undefined
  onChange: (id: string) => void
}

/** A vehicle of the store, or none: then the lead is about what the buyer asked for. */
function VehicleSelect({ lead, value, error, onChange }: VehicleProps) {
  const { rows, search } = useSearchable(vehicles.list, { sort: '-updatedAt' })
  const found = rows.map(({ id, year, make, model, trim, stock }) => ({
    value: id,
    label:
      [[year, make, model, trim].filter(Boolean).join(' '), stock].filter(Boolean).join(', ') ||
      `Vehicle ${id}`,
  }))
  const own = lead.vehicleId
  const isShown = own === null || found.some((choice) => choice.value === own)
  const data = isShown
    ? found
    : [{ value: own, label: lead.vehicleTitle ?? 'Not available to you' }, ...found]
  return (
    <Select
      label={LABELS.vehicleId}
      data={data}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      error={error}
      searchable
      clearable
      onSearchChange={search}
      placeholder="Search by name, stock number or VIN"
      nothingFoundMessage="No vehicles found"
    />
  )
}
