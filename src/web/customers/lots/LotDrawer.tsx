import { Checkbox, Select, TextInput } from '@mantine/core'
import { lawOfRegion, PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { labelOf } from '#contract/record.ts'
import { type Lot, LOT_TYPES, lotRecord, lots } from '#contract/customers/lots/lots.ts'
import type { SettingChange } from '#contract/pricing/rules/rule-requests.ts'
import { send } from '#web/api/query.ts'
import { changedOf, saveSetting } from '#web/ui/prices/save-confirming.tsx'
import { WaitingApproval } from '#web/ui/prices/WaitingApproval.tsx'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import { HoursFields } from '#web/ui/record/opening-hours/HoursFields.tsx'
import { OrganizationSelect } from '#web/ui/form/OrganizationSelect.tsx'
import { TimeZoneSelect } from '#web/ui/form/TimeZoneSelect.tsx'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { SettingEffectOf } from '../setting-effect.ts'
import { MAKES } from '../makes.ts'
import { lotForm, type LotValues, showField } from './lot-form.ts'

const addLot = send(lots.add)
const updateLot = send(lots.update)
const removeLots = send(lots.removeMany)

/** One lot, or a blank form for a new one. */
export function LotDrawer({ Effect, ...props }: RecordDrawerProps & { Effect: SettingEffectOf }) {
  return (
    <RecordDrawer
      {...props}
      noun="lot"
      about="A vehicle location"
      form={lotForm}
      endpoints={lots}
      save={(input, change, saved) => {
        if (change === null || saved === null) return addLot(input)
        const moving = changedOf(MOVING, input, saved)
        const values = Object.fromEntries(moving.map((name) => [name, input[name]]))
        const changes = lotRecord.changes.parse({ ...values, ...change })
        return saveSetting({ kind: 'lot', changes }, moving, (confirmPrices) =>
          updateLot({ ...input, ...change, confirmPrices }),
        )
      }}
      remove={{
        endpoint: lots.removeMany,
        start: ({ id, version }) => removeLots({ selection: { ids: [id] }, version }),
        text: ({ name }) =>
          `${name} is removed from all lists, unless it has vehicles. What names it, such as a rule or a feed source, has to be changed first. Its forms, inbound addresses and facility stay without a lot. You can undo this.`,
        label: 'Delete lot',
      }}
      nameOf={(lot) => lot}
      show={(name, values, [current]) => showField(name, values, current)}
    >
      {(record, lot) => (
        <>
          {lot && <WaitingApproval kind="lot" id={lot.id} />}
          <LotFields record={record} lot={lot} />
          {lot && <Effect change={movingChange(record, lot)} />}
        </>
      )}
    </RecordDrawer>
  )
}

/** What moves the totals of its vehicles. */
const MOVING = ['priceLaw', 'region', 'timeZone', 'organizationId'] as const
const isMoving = (name: string): boolean => MOVING.some((one) => one === name)

/** The change of what totals depend on; null if there is none, or if it has errors. */
function movingChange({ form, changed }: RecordFormState<LotValues, Lot>, { id }: Lot): SettingChange | null {
  if (!changed.some(isMoving)) return null
  const input = Object.entries(lotForm.toInput(form.values)).filter(([name]) => isMoving(name))
  const { data } = lotRecord.changes.safeParse({ id, ...Object.fromEntries(input) })
  return data === undefined ? null : { kind: 'lot', changes: data }
}

type Props = {
  record: RecordFormState<LotValues, Lot>
  /** The saved lot; null for a new one, whose form focuses the code. */
  lot: Lot | null
}

const LAWS = PRICE_LAWS.map(({ value, label }) => ({ value, label }))
const NO_CHOICES: string[] = []
const NO_MAKES = 'Leave blank for all makes.'

/** The lot's fields, with short ones in pairs. */
function LotFields({ record, lot }: Props) {
  const { field, form, isReadOnly } = record
  const proposed = lawOfRegion(form.values.region)
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('code')}
        {...(lot === null && { 'data-autofocus': true })}
        required
        maxLength={20}
        autoComplete="off"
      />
      <Select {...field('type')} data={LOT_TYPES} allowDeselect={false} />
      <TextInput {...field('name')} required maxLength={100} className="fc-wide" autoComplete="off" />
      <OrganizationSelect
        {...field('organizationId')}
        className="fc-wide"
        placeholder="Your current organization"
      />
      <TextInput {...field('address')} className="fc-wide" maxLength={200} autoComplete="off" />
      <TextInput {...field('city')} maxLength={100} autoComplete="off" />
      <TextInput {...field('region')} maxLength={60} autoComplete="off" />
      <TextInput {...field('postalCode')} maxLength={16} autoComplete="off" />
      <TextInput {...field('phone')} type="tel" autoComplete="off" />
      <TimeZoneSelect
        {...field('timeZone')}
        value={form.values.timeZone}
        className="fc-wide"
        clearable
        placeholder="Same as organization"
      />
      <Select
        {...field('priceLaw')}
        value={form.values.priceLaw || null}
        className="fc-wide"
        data={LAWS}
        clearable
        placeholder={
          proposed === null ? 'From the company details' : `${labelOf(PRICE_LAWS, proposed)}, by state`
        }
        description={<bdi>What advertised prices must include. This is guidance, not legal advice.</bdi>}
      />
      <TagsField
        {...field('makes')}
        className="fc-wide"
        data={MAKES}
        description={<bdi>{isReadOnly ? NO_MAKES : `Press Enter after each. ${NO_MAKES}`}</bdi>}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear makes' }}
      />
      <TagsField
        {...field('dealerIds')}
        className="fc-wide"
        data={NO_CHOICES}
        description={<bdi>IDs your feed providers use for this lot.</bdi>}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear dealer IDs' }}
      />
      <HoursFields record={record} saved={lot} noun="lot" />
      <Checkbox
        {...form.getInputProps('isPublic', { type: 'checkbox' })}
        className="fc-wide"
        size="sm"
        label="Show this lot on public pages"
        disabled={isReadOnly}
      />
    </div>
  )
}
