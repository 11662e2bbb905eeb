import { Autocomplete, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { ELECTRIFICATIONS, VEHICLE_STATUSES } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { MAX_TAGS } from '#contract/vehicles/vehicles/vehicle-input.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { MAKES } from '#web/customers/index.ts'
import { useHolds } from '#web/session/use-session.ts'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { CustomFormFields } from '../custom-fields/CustomFormFields.tsx'
import type { VinFilledField } from '#contract/vehicles/vin/vin-values.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { useVinFill } from './use-vin-fill.ts'
import { PriceEffect } from './PriceEffect.tsx'
import type { VehicleValues } from './vehicle-values.ts'
import { CONDITION_NAMES, ELECTRIFICATION_NAMES, STATUS_NAMES } from '../vehicle-labels.ts'

const choicesOf = (names: ReadonlyMap<string, string>, values: readonly string[]) =>
  values.map((value) => ({ value, label: names.get(value) ?? value }))

const CONDITIONS = choicesOf(CONDITION_NAMES, [...CONDITION_NAMES.keys()])
const ELECTRIC = choicesOf(ELECTRIFICATION_NAMES, ELECTRIFICATIONS)

/** Suggestions; other values are allowed. */
const SUGGESTIONS = {
  body: ['SUV', 'Pickup', 'Sedan', 'Coupe', 'Hatchback', 'Wagon', 'Van', 'Convertible'],
  fuel: ['Gasoline', 'Diesel', 'Hybrid', 'Plug-in hybrid', 'Electric', 'Flex fuel'],
  transmission: ['Automatic', 'Manual', 'CVT', 'Single-speed'],
  drivetrain: ['AWD', '4WD', 'FWD', 'RWD'],
  genericColor: [
    'White',
    'Black',
    'Gray',
    'Silver',
    'Blue',
    'Red',
    'Green',
    'Brown',
    'Beige',
    'Orange',
    'Yellow',
  ],
}

const MARKETS = ['Manheim MMR', 'vAuto', 'Cox Automotive', 'MarketCheck']
const BOOKS = ['J.D. Power', 'Kelley Blue Book', 'Black Book', 'Galves']

const NEEDED_TO_SEE_COST = can(Func.vehicleCost, Opr.list)
const NEEDED_FOR_COST = can(Func.vehicleCost, Opr.update)

type Props = {
  record: RecordFormState<VehicleValues, VehicleRecord>
  vehicle: VehicleRecord | null
  own: readonly CustomField[]
  /** Called with the fields that were filled in from the VIN. */
  onFilled: (fields: readonly VinFilledField[]) => void
}

/** All fields of a vehicle except photos, which are edited on the vehicle page. */
export function VehicleFormFields({ record, vehicle, own, onFilled }: Props) {
  const { field, form, isReadOnly } = record
  const { choices, error, isPending, search } = useLotNames()
  const vin = field('vin')
  const { note, decode } = useVinFill(record, onFilled)
  const statuses = VEHICLE_STATUSES.filter((one) => one !== 'removed' || vehicle?.status === 'removed')
  const isLotUnlisted = vehicle && !choices.some(({ value }) => value === vehicle.lotId)
  const lots = isLotUnlisted ? [...choices, { value: vehicle.lotId, label: vehicle.lotName }] : choices
  const distance = vehicle?.distanceUnit ?? ''
  return (
    <div className="fc-form-fields">
      <Select
        {...field('lotId')}
        {...(vehicle === null && { 'data-autofocus': true })}
        required
        searchable
        // The field has the initial focus, and an open list would cover the form.
        openOnFocus={false}
        className="fc-wide"
        data={lots}
        allowDeselect={false}
        placeholder={isPending ? 'Loading lots' : 'Choose a lot'}
        nothingFoundMessage={error ? "The lots couldn't be loaded." : 'No matching lot'}
        onSearchChange={search}
      />
      <TextInput {...field('stock')} maxLength={60} autoComplete="off" />
      <TextInput
        {...vin}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          vin.onChange(event)
          void decode(event.currentTarget.value)
        }}
      />
      <output className="fc-wide fc-small fc-soft" aria-live="polite" hidden={note === null}>
        <bdi>{note}</bdi>
      </output>
      <Select {...field('status')} data={choicesOf(STATUS_NAMES, statuses)} allowDeselect={false} />
      <TextInput
        {...field('statusReason')}
        required={form.values.status === 'hold'}
        maxLength={200}
        autoComplete="off"
        placeholder="Shown below the status"
      />
      <Select {...field('condition')} data={CONDITIONS} allowDeselect={false} />
      <TextInput {...field('inStockOn')} type="date" max="2100-12-31" />

      <TagsField
        {...field('tags')}
        className="fc-wide"
        description={isReadOnly ? null : 'Your own labels for finding vehicles. Press Enter after each one.'}
        maxTags={MAX_TAGS}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear tags' }}
      />

      <Head>Basics</Head>
      <TextInput {...field('year')} inputMode="numeric" autoComplete="off" />
      <Autocomplete {...field('make')} data={MAKES} maxLength={60} />
      <TextInput {...field('model')} maxLength={100} autoComplete="off" />
      <TextInput {...field('trim')} maxLength={100} autoComplete="off" />
      <Autocomplete {...field('body')} data={SUGGESTIONS.body} maxLength={60} />
      <TextInput {...field('doors')} inputMode="numeric" autoComplete="off" />
      <TextInput
        {...field('mileage')}
        inputMode="numeric"
        autoComplete="off"
        {...(distance !== '' && { rightSection: <span className="fc-small fc-faint">{distance}</span> })}
      />
      <TextInput {...field('certification')} maxLength={100} autoComplete="off" />

      <PriceFields record={record} vehicle={vehicle} />

      <Head>Colors</Head>
      <TextInput {...field('color')} maxLength={100} autoComplete="off" />
      <Autocomplete {...field('genericColor')} data={SUGGESTIONS.genericColor} maxLength={60} />
      <TextInput {...field('interiorColor')} maxLength={100} autoComplete="off" />

      <PowertrainFields record={record} />

      <ListingFields record={record} />
      {own.length > 0 && <Head>Custom fields</Head>}
      <CustomFormFields record={record} fields={own} />
      <Checkbox
        {...form.getInputProps('locksEdits', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Lock the fields I change"
        description="Feeds don't change locked fields. You can unlock fields on the vehicle page."
        disabled={isReadOnly}
      />
    </div>
  )
}

function Head({ children }: { children: string }) {
  return <h3 className="fc-wide fc-form-section fc-vehicle-head">{children}</h3>
}

type FieldsProps = Pick<Props, 'record'>

/** Prices, costs for those who may see them, and valuations. */
function PriceFields({ record: { field, form, isReadOnly }, vehicle }: FieldsProps & Pick<Props, 'vehicle'>) {
  const holds = useHolds()
  const isCostFixed = isReadOnly || holds(NEEDED_FOR_COST) !== true
  return (
    <>
      <Head>Pricing</Head>
      <TextInput {...field('priceCents')} inputMode="decimal" autoComplete="off" />
      {vehicle !== null && <PriceEffect vehicle={vehicle} typed={form.values.priceCents} />}
      <TextInput {...field('msrpCents')} inputMode="decimal" autoComplete="off" />
      <TextInput {...field('feedPriceCents')} inputMode="decimal" autoComplete="off" />
      {holds(NEEDED_TO_SEE_COST) === true && (
        <>
          <TextInput {...field('costCents')} readOnly={isCostFixed} inputMode="decimal" autoComplete="off" />
          <TextInput
            {...field('invoiceCents')}
            readOnly={isCostFixed}
            inputMode="decimal"
            autoComplete="off"
          />
        </>
      )}

      <Head>Valuation</Head>
      <TextInput
        {...field('marketPriceCents')}
        inputMode="decimal"
        autoComplete="off"
        className="fc-wide"
        description={isReadOnly ? null : 'For pricing decisions. Never shown to buyers or sent to channels.'}
      />
      <Autocomplete {...field('marketPriceSource')} data={MARKETS} maxLength={100} />
      <TextInput {...field('marketPriceOn')} type="date" max="2100-12-31" />
      <TextInput {...field('bookValueCents')} inputMode="decimal" autoComplete="off" className="fc-wide" />
      <Autocomplete {...field('bookValueSource')} data={BOOKS} maxLength={100} />
      <TextInput {...field('bookValueOn')} type="date" max="2100-12-31" />
    </>
  )
}

function PowertrainFields({ record: { field } }: FieldsProps) {
  return (
    <>
      <Head>Powertrain</Head>
      <TextInput {...field('engine')} maxLength={200} autoComplete="off" className="fc-wide" />
      <Autocomplete {...field('fuel')} data={SUGGESTIONS.fuel} maxLength={60} />
      <Select {...field('electrification')} data={ELECTRIC} clearable placeholder="Not set" />
      <Autocomplete {...field('transmission')} data={SUGGESTIONS.transmission} maxLength={100} />
      <Autocomplete {...field('drivetrain')} data={SUGGESTIONS.drivetrain} maxLength={60} />
      <TextInput {...field('cityEconomy')} inputMode="decimal" autoComplete="off" />
      <TextInput {...field('highwayEconomy')} inputMode="decimal" autoComplete="off" />
      <TextInput {...field('whPerMile')} inputMode="numeric" autoComplete="off" />
      <TextInput {...field('co2')} inputMode="numeric" autoComplete="off" />
    </>
  )
}

function ListingFields({ record: { field, isReadOnly } }: FieldsProps) {
  return (
    <>
      <Head>Listing details</Head>
      <TagsField
        {...field('options')}
        className="fc-wide"
        description={isReadOnly ? null : 'Press Enter after each one.'}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear options' }}
      />
      <Textarea
        {...field('description')}
        className="fc-wide"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
      />
      <TextInput {...field('pageUrl')} type="url" className="fc-wide" autoComplete="off" maxLength={2_000} />
    </>
  )
}
