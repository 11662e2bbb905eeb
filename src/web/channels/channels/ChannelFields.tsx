import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { variablesOf } from '#contract/expressions/variables.ts'
import { CHANNEL_KIND_CHOICES, DESTINATION_CHOICES } from '#contract/channels/channels/channel-list.ts'
import type { Channel } from '#contract/channels/channels/channels.ts'
import { FORMATS_OF } from '#contract/channels/listings/listing-row.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { RemoteServerFields } from '#web/ui/remote-servers/RemoteServerFields.tsx'
import { ScheduleFields } from '#web/ui/remote-servers/ScheduleFields.tsx'
import { type ChannelValues, portHint } from './channel-form.ts'
import { ChannelColumnFields } from './ChannelColumnFields.tsx'
import { PRICE_MEANINGS } from '#contract/pricing/totals/price-meanings.ts'

const AdvancedDialog = lazy(async () => ({
  default: (await import('#web/ui/filter/rules/AdvancedDialog.tsx')).AdvancedDialog,
}))

/** Rules can't use costs, because the files are public. */
const COST = can(Func.vehicleCost, Opr.list)
const VARIABLES = variablesOf(VEHICLE_LIST, ({ func }) => func !== COST.func)

type Props = {
  record: RecordFormState<ChannelValues, Channel>
  /** Null for a new one. */
  channel: Channel | null
  /** Shown at the end: the download link or the host key. */
  children: ReactNode
}

/** The form fields that apply to the chosen delivery method and schedule. */
export function ChannelFields({ record, channel, children }: Props) {
  const { field, form, isReadOnly } = record
  const { kind, destination, schedule, rule } = form.values
  const [isRuleOpen, setRuleOpen] = useState(false)
  const formats = FORMATS_OF[kind]
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(channel === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={80}
        autoComplete="off"
      />
      <Select {...field('kind')} data={[...CHANNEL_KIND_CHOICES]} allowDeselect={false} />
      <Select
        {...field('format')}
        data={formats.map((value) => ({ value, label: value.toUpperCase() }))}
        allowDeselect={false}
      />
      <div className="fc-wide fc-channel-rule">
        <Textarea
          {...field('rule')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={4_000}
          placeholder="Every vehicle in stock"
          spellCheck={false}
          dir="ltr"
        />
        <Button variant="default" disabled={isReadOnly} onClick={() => setRuleOpen(true)}>
          Build filter
        </Button>
      </div>
      <TextInput
        {...field('pageTemplate')}
        className="fc-wide"
        maxLength={500}
        autoComplete="off"
        placeholder="https://www.dealer.example/cars/{vin}"
        description="Used when a vehicle has no URL. You can use {vin}, {stock}, {id} and {lot}. Blank: the pages of your public site."
        dir="ltr"
      />
      {kind === 'csv' && <ChannelColumnFields record={record} />}
      {kind === 'csv' && <ChannelPriceFields record={record} />}
      <Select
        {...field('destination')}
        className="fc-wide"
        data={[...DESTINATION_CHOICES]}
        allowDeselect={false}
      />
      {destination !== 'pull' && (
        <RemoteServerFields
          field={field}
          protocol={destination}
          usualPort={portHint(form.values)}
          examplePath="/inbound/vehicles.csv"
          hasSecret={channel?.hasSecret === true}
        />
      )}
      <ScheduleFields field={field} schedule={schedule} />
      <Checkbox
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Active"
        disabled={isReadOnly}
      />
      {children}
      {isRuleOpen && (
        <Suspense>
          <AdvancedDialog
            list={VEHICLE_LIST}
            endpoint={vehicles.list}
            variables={VARIABLES}
            search=""
            filter={rule}
            onApply={(text) => {
              form.setFieldValue('rule', text)
              setRuleOpen(false)
            }}
            onClose={() => setRuleOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** What the price field of a custom file means to its receiver. */
function ChannelPriceFields({ record }: { record: RecordFormState<ChannelValues, Channel> }) {
  const { field, form } = record
  return (
    <>
      <Select
        {...field('priceMeaning')}
        className="fc-wide"
        data={PRICE_MEANINGS}
        allowDeselect={false}
        description="What the receiver expects as the price. Most expect the total price."
      />
      {form.values.priceMeaning === 'without-fees' && (
        <TextInput
          {...field('priceNote')}
          className="fc-wide"
          required
          maxLength={300}
          autoComplete="off"
          placeholder="https://help.receiver.example/price-updates"
        />
      )}
    </>
  )
}
