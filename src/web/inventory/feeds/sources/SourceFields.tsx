import { Checkbox, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isFetched } from '#contract/inventory/feeds/sources/feed-source-list.ts'
import type { FeedSource } from '#contract/inventory/feeds/sources/feed-sources.ts'
import { providerMappings } from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { query } from '#web/api/query.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { RemoteServerFields } from '#web/inventory/remote-servers/RemoteServerFields.tsx'
import { ScheduleFields } from '#web/inventory/remote-servers/ScheduleFields.tsx'
import { useLotNames } from '#web/inventory/vehicles/use-lot-names.ts'
import { AFTER_CHOICES, APPLY_CHOICES, canClear, portHint, type SourceValues } from './source-form.ts'
import { ABOUT_KINDS, KIND_CHOICES } from './source-kinds.ts'

type Props = {
  record: RecordFormState<SourceValues, FeedSource>
  /** Null for a new one. */
  source: FeedSource | null
}

const ABOUT_DAYS = 'Braces stand for the day: stock_{yyyy-MM-dd}.csv'
const ABOUT_STARS = 'A star stands for anything: of vehicles_*.csv the newest is fetched.'

/** The fields of a feed source; those of another kind are not there. */
export function SourceFields({ record, source }: Props) {
  const { form, field, isReadOnly } = record
  const { kind, mappingId, lotIds, schedule, afterFetch } = form.values
  const lots = useLotNames()
  const mappings = useQuery(query(providerMappings.list, { pageSize: MAX_PAGE_SIZE, sort: 'name' }))
  const mappingNames = new Map([
    ...(source?.mappingId == null ? [] : [[source.mappingId, source.mappingName ?? 'Its mapping'] as const]),
    ...(mappings.data?.results ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const lotNames = [
    ...lots.choices,
    ...lotIds
      .filter((id) => !lots.choices.some(({ value }) => value === id))
      .map((value) => ({ value, label: `Lot ${value}` })),
  ]
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(source === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={100}
        autoComplete="off"
      />
      <Select
        {...field('kind')}
        className="fc-wide"
        description={ABOUT_KINDS[kind]}
        data={KIND_CHOICES}
        allowDeselect={false}
      />
      {isFetched(kind) && (
        <>
          <RemoteServerFields
            field={field}
            protocol={kind}
            usualPort={portHint({ kind })}
            examplePath="/outbound/vehicles.csv"
            pathHelp={kind === 'https' ? ABOUT_DAYS : `${ABOUT_DAYS}. ${ABOUT_STARS}`}
            hasSecret={source?.hasSecret === true}
          />
          {canClear({ kind }) && (
            <Select
              {...field('afterFetch')}
              className="fc-wide"
              description="Done once the file is kept here. The user of the server has to be allowed to."
              data={[...AFTER_CHOICES]}
              allowDeselect={false}
            />
          )}
          {canClear({ kind }) && afterFetch === 'move' && (
            <TextInput
              {...field('moveTo')}
              className="fc-wide"
              required
              maxLength={500}
              autoComplete="off"
              placeholder="done"
              description="It has to be there. With a slash before it it begins at the top of the server, else in the folder of the file."
              dir="ltr"
            />
          )}
          <ScheduleFields field={field} schedule={schedule} />
        </>
      )}
      {kind === 'mail' && (
        <TagsInput
          {...field('senders')}
          className="fc-wide"
          placeholder={form.values.senders.length === 0 ? 'Everybody who knows the address' : ''}
          description="Addresses, or whole domains. Press Enter after each. Senders can be forged: the address is what protects the source."
          clearable
          clearButtonProps={{ 'aria-label': 'Clear senders' }}
        />
      )}
      {kind !== 'upload' && (
        <Select
          {...field('applies')}
          className="fc-wide"
          description="Held is a file with far fewer vehicles than the last one, or one that cannot be read to its end."
          data={[...APPLY_CHOICES]}
          allowDeselect={false}
        />
      )}
      <Select
        {...field('mappingId')}
        className="fc-wide"
        placeholder="The one that fits, each time"
        description="How the columns of its file become the fields of a vehicle."
        clearable
        searchable
        value={mappingId}
        data={[...mappingNames].map(([value, label]) => ({ value, label }))}
      />
      <MultiSelect
        {...field('lotIds')}
        className="fc-wide"
        placeholder={lotIds.length === 0 ? 'All that you reach' : ''}
        description="Vehicles of these lots are missed where the file lacks them; rows of other lots are refused."
        searchable
        clearable
        data={lotNames}
        onSearchChange={lots.search}
        nothingFoundMessage="No such lot"
      />
      <Checkbox
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Feeds of this source are taken"
        disabled={isReadOnly}
      />
    </div>
  )
}
