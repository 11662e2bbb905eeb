import { Checkbox, Select, TextInput } from '@mantine/core'
import {
  type InboundAddress,
  inboundAddresses,
  inboundAddressRecord,
} from '#contract/leads/inbound/inbound-addresses.ts'
import { send } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { useRoutingLock } from '../routing/use-routing-settings.ts'
import { AddressUrls } from './AddressUrls.tsx'
import './inbound.css'

const addAddress = send(inboundAddresses.add)
const updateAddress = send(inboundAddresses.update)

const addressForm = recordForm(inboundAddressRecord)
type AddressValues = typeof addressForm.blank

/** One inbound address with its URLs, or a blank form for a new one. */
export function AddressDrawer(props: RecordDrawerProps) {
  const lots = useLotNames()
  const nameOfLot = (id: string, versions: readonly InboundAddress[]): string => {
    const known = versions.find(({ lotId }) => lotId === id)
    return known?.lotName ?? lots.choices.find(({ value }) => value === id)?.label ?? 'Another lot'
  }
  return (
    <RecordDrawer
      {...props}
      noun="inbound address"
      about="Where one lead provider sends leads"
      size={560}
      form={addressForm}
      endpoints={inboundAddresses}
      save={(input, change) => (change ? updateAddress({ ...input, ...change }) : addAddress(input))}
      remove={{
        endpoint: inboundAddresses.remove,
        text: "Its URLs stop working immediately, and its messages are deleted. Its leads stay in the inbox. This can't be undone.",
        lock: ({ quarantined }) => (quarantined > 0 ? NEEDS_REVIEW : null),
      }}
      nameOf={({ label }) => ({ name: label })}
      show={(name, values, versions) =>
        name === 'lotId' ? nameOfLot(values.lotId, versions) : showValue(Reflect.get(values, name))
      }
    >
      {(record, address) => (
        <div className="fc-inbound-fields">
          <AddressFields record={record} address={address} lots={lots} />
          {address && <AddressUrls address={address} />}
        </div>
      )}
    </RecordDrawer>
  )
}

const NEEDS_REVIEW = 'Messages of this address still need review. Review or dismiss them first.'

type FieldsProps = {
  record: RecordFormState<AddressValues, InboundAddress>
  address: InboundAddress | null
  lots: ReturnType<typeof useLotNames>
}

function AddressFields({ record, address, lots: { choices, search } }: FieldsProps) {
  const { field, form, isReadOnly } = record
  const isLocked = useRoutingLock() !== null
  const organizationName = useSession().claims?.organizationName ?? ''
  // A lot that isn't on the first page of choices.
  const own =
    address?.lotId == null || choices.some(({ value }) => value === address.lotId)
      ? []
      : [{ value: address.lotId, label: address.lotName ?? address.lotId }]
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('label')}
        {...(address === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={80}
        autoComplete="off"
        placeholder="Cars.com, Ford store"
      />
      <TextInput
        {...field('sourceName')}
        className="fc-wide"
        required
        maxLength={60}
        autoComplete="off"
        description={<bdi>Shown as the source of its leads. Routing rules can use it.</bdi>}
      />
      {(!isLocked || address?.isGroup === true) && (
        <Checkbox
          {...form.getInputProps('isGroup', { type: 'checkbox' })}
          className="fc-wide"
          size="sm"
          label="For all stores"
          description={
            <bdi>
              Each lead goes to the store that it names: by vendor name, dealer code, dealer ID, VIN, stock
              number, make or ZIP code. The names and codes are in Lead settings. What names no store waits as
              “No store yet” at {address?.isGroup === true ? address.organizationName : organizationName}.
            </bdi>
          }
          disabled={isReadOnly || isLocked}
        />
      )}
      {!form.values.isGroup && (
        <Select
          {...field('lotId')}
          className="fc-wide"
          required
          data={[...own, ...choices]}
          searchable
          onSearchChange={search}
          description={<bdi>Leads go to this lot unless they ask about a vehicle on another lot.</bdi>}
        />
      )}
    </div>
  )
}
