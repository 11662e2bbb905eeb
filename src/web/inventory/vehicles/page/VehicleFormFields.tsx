import { Autocomplete, Checkbox, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { ELECTRIFICATIONS, VEHICLE_STATUSES } from '#contract/inventory/vehicles/vehicle-choices.ts'
import { MAX_TAGS } from '#contract/inventory/vehicles/vehicle-input.ts'
import type { VehicleRecord } from '#contract/inventory/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { MAKES } from '#web/customers/index.ts'
import { useHolds } from '#web/session/use-session.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { CustomFormFields } from '../custom-fields/CustomFormFields.tsx'
import { useLotNames } from '../use-lot-names.ts'
import type { VehicleValues } from './vehicle-values.ts'
import { CONDITION_NAMES, ELECTRIFICATION_NAMES, STATUS_NAMES } from '../vehicle-labels.ts'

const choicesOf = (names: ReadonlyMap<string, string>, values: readonly string[]) =>
  values.map((value) => ({ value, label: names.get(value) ?? value }))

const CONDITIONS = choicesOf(CONDITION_NAMES, [...CONDITION_NAMES.keys()])
const ELECTRIC = choicesOf(ELECTRIFICATION_NAMES, ELECTRIFICATIONS)

/** Offered, not prescribed. */
const WORDS = {
  body: ['SUV', 'Pickup', 'Sedan', 'Coupe', 'Hatchback', 'Wagon', 'Van', 'Convertible'],
  fuel: ['Gasoline', 'Diesel', 'Hybrid', 'Plug-in hybrid', 'Electric', 'Flex fuel'],
  transmission: ['Automatic', 'Manual', 'CVT', 'Single-speed'],
  drivetrain: ['AWD', '4WD', 'FWD', 'RWD'],
  genericColour: [
    'White',
    'Black',
    'Grey',
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
}

/** Every field of a vehicle but its photos, which are kept on its page. */
export function VehicleFormFields({ record, vehicle, own }: Props) {
  const { field, form, isReadOnly } = record
  const holds = useHolds()
  const { choices, error, isPending, search } = useLotNames()
  const { status } = form.values
  const statuses = VEHICLE_STATUSES.filter((one) => one !== 'removed' || vehicle?.status === 'removed')
  const elsewhere = vehicle && !choices.some(({ value }) => value === vehicle.lotId)
  const lots = elsewhere ? [...choices, { value: vehicle.lotId, label: vehicle.lotName }] : choices
  const isCostFixed = isReadOnly || holds(NEEDED_FOR_COST) !== true
  const distance = vehicle?.distanceUnit ?? ''
  return (
    <div className="fc-form-fields">
      <Select
        {...field('lotId')}
        {...(vehicle === null && { 'data-autofocus': true })}
        required
        searchable
        // The focus is set for whoever types; a list that opens by itself would hide the form.
        openOnFocus={false}
        className="fc-wide"
        data={lots}
        allowDeselect={false}
        placeholder={isPending ? 'Loading the lots' : 'Choose a lot'}
        nothingFoundMessage={error ? 'The lots could not be loaded.' : 'No such lot'}
        onSearchChange={search}
      />
      <TextInput {...field('stock')} maxLength={60} autoComplete="off" />
      <TextInput {...field('vin')} maxLength={40} autoComplete="off" spellCheck={false} />
      <Select {...field('status')} data={choicesOf(STATUS_NAMES, statuses)} allowDeselect={false} />
      <TextInput
        {...field('statusReason')}
        required={status === 'hold'}
        maxLength={200}
        autoComplete="off"
        placeholder="Shown under the status"
      />
      <Select {...field('condition')} data={CONDITIONS} allowDeselect={false} />
      <TextInput {...field('inStockOn')} type="date" max="2100-12-31" />

      <TagsInput
        {...field('tags')}
        className="fc-wide"
        description={isReadOnly ? null : 'Words of your own to find it by. Press Enter after each.'}
        maxTags={MAX_TAGS}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear tags' }}
      />

      <Head>What it is</Head>
      <TextInput {...field('year')} inputMode="numeric" autoComplete="off" />
      <Autocomplete {...field('make')} data={MAKES} maxLength={60} />
      <TextInput {...field('model')} maxLength={100} autoComplete="off" />
      <TextInput {...field('trim')} maxLength={100} autoComplete="off" />
      <Autocomplete {...field('body')} data={WORDS.body} maxLength={60} />
      <TextInput {...field('doors')} inputMode="numeric" autoComplete="off" />
      <TextInput
        {...field('mileage')}
        inputMode="numeric"
        autoComplete="off"
        {...(distance !== '' && { rightSection: <span className="fc-small fc-faint">{distance}</span> })}
      />
      <TextInput {...field('certification')} maxLength={100} autoComplete="off" />

      <Head>Amounts</Head>
      <TextInput {...field('priceCents')} inputMode="decimal" autoComplete="off" />
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

      <Head>What others say it is worth</Head>
      <TextInput
        {...field('marketPriceCents')}
        inputMode="decimal"
        autoComplete="off"
        className="fc-wide"
        description={isReadOnly ? null : 'To price by. Buyers and channels never get these amounts.'}
      />
      <Autocomplete {...field('marketPriceSource')} data={MARKETS} maxLength={100} />
      <TextInput {...field('marketPriceOn')} type="date" max="2100-12-31" />
      <TextInput {...field('bookValueCents')} inputMode="decimal" autoComplete="off" className="fc-wide" />
      <Autocomplete {...field('bookValueSource')} data={BOOKS} maxLength={100} />
      <TextInput {...field('bookValueOn')} type="date" max="2100-12-31" />

      <Head>Colours</Head>
      <TextInput {...field('colour')} maxLength={100} autoComplete="off" />
      <Autocomplete {...field('genericColour')} data={WORDS.genericColour} maxLength={60} />
      <TextInput {...field('interiorColour')} maxLength={100} autoComplete="off" />

      <Head>How it drives</Head>
      <TextInput {...field('engine')} maxLength={200} autoComplete="off" className="fc-wide" />
      <Autocomplete {...field('fuel')} data={WORDS.fuel} maxLength={60} />
      <Select {...field('electrification')} data={ELECTRIC} clearable placeholder="Not given" />
      <Autocomplete {...field('transmission')} data={WORDS.transmission} maxLength={100} />
      <Autocomplete {...field('drivetrain')} data={WORDS.drivetrain} maxLength={60} />
      <TextInput {...field('cityEconomy')} inputMode="decimal" autoComplete="off" />
      <TextInput {...field('highwayEconomy')} inputMode="decimal" autoComplete="off" />
      <TextInput {...field('whPerMile')} inputMode="numeric" autoComplete="off" />
      <TextInput {...field('co2')} inputMode="numeric" autoComplete="off" />

      <Head>For buyers</Head>
      <TagsInput
        {...field('options')}
        className="fc-wide"
        description={isReadOnly ? null : 'Press Enter after each.'}
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
      {own.length > 0 && <Head>Custom fields</Head>}
      <CustomFormFields record={record} fields={own} />
      <Checkbox
        {...form.getInputProps('locksEdits', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Keep feeds from changing what I edit"
        description="What you edit is locked. Locks are opened one by one on the page of the vehicle."
        disabled={isReadOnly}
      />
    </div>
  )
}

function Head({ children }: { children: string }) {
  return <h3 className="fc-wide fc-form-section fc-vehicle-head">{children}</h3>
}
