import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import { isFetched } from '#contract/feeds/sources/feed-source-list.ts'
import type { FeedSource } from '#contract/feeds/sources/feed-sources.ts'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { RemoteServerFields } from '#web/ui/remote-servers/RemoteServerFields.tsx'
import { ScheduleFields } from '#web/ui/remote-servers/ScheduleFields.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { useMappingNames } from '#web/feeds/mappings/use-mapping-names.ts'
import {
  AFTER_CHOICES,
  APPLY_CHOICES,
  canRemove,
  fromUrl,
  portHint,
  type SourceValues,
} from './source-form.ts'
import { ABOUT_KINDS, KIND_CHOICES } from './source-kinds.ts'

type Props = {
  record: RecordFormState<SourceValues, FeedSource>
  /** Null for a new one. */
  source: FeedSource | null
}

const ABOUT_DAYS = 'Use braces for the date: stock_{yyyy-MM-dd}.csv'
const ABOUT_STARS = 'Use an asterisk to match any name: with vehicles_*.csv, the newest file is fetched.'

/** The fields of a feed source that apply to its delivery method. */
export function SourceFields({ record, source }: Props) {
  const { form, field, isReadOnly } = record
  const { kind, mappingId, lotIds } = form.values
  const lots = useLotNames(lotIds)
  const mappings = useMappingNames(source && { id: source.mappingId, name: source.mappingName })
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
      <FetchFields record={record} hasSecret={source?.hasSecret === true} />
      {kind === 'mail' && (
        <TagsField
          {...field('senders')}
          className="fc-wide"
          placeholder={form.values.senders.length === 0 ? 'Anyone who knows the address' : ''}
          description="Email addresses or whole domains. Press Enter after each. Senders can be forged, so keep the address secret."
          clearable
          clearButtonProps={{ 'aria-label': 'Clear senders' }}
        />
      )}
      {kind !== 'upload' && (
        <Select
          {...field('applies')}
          className="fc-wide"
          description="A feed needs review if it has far fewer vehicles than the last one or can't be read to the end."
          data={[...APPLY_CHOICES]}
          allowDeselect={false}
        />
      )}
      <Select
        {...field('mappingId')}
        className="fc-wide"
        placeholder="Auto-select for each file"
        description="Maps the columns of the file to vehicle fields."
        clearable
        searchable
        value={mappingId}
        data={mappings.choices}
        onSearchChange={mappings.search}
        nothingFoundMessage="No matching mapping"
      />
      <MultiSelect
        {...field('lotIds')}
        className="fc-wide"
        placeholder={lotIds.length === 0 ? 'All your lots' : ''}
        description="Rows for other lots are rejected. Vehicles of this source count as missing if its file doesn't list them; other vehicles on these lots never do."
        searchable
        clearable
        data={lots.choices}
        onSearchChange={lots.search}
        nothingFoundMessage="No matching lots"
      />
      <Checkbox
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Accept files from this source"
        disabled={isReadOnly}
      />
    </div>
  )
}

type FetchProps = Pick<Props, 'record'> & { hasSecret: boolean }

/** The server that files are fetched from, what happens to them there, and when. */
function FetchFields({ record, hasSecret }: FetchProps) {
  const { form, field, isReadOnly } = record
  const { kind, schedule, afterFetch } = form.values
  if (!isFetched(kind)) return null
  return (
    <>
      <RemoteServerFields
        field={field}
        protocol={kind}
        usualPort={portHint({ kind })}
        examplePath="/outbound/vehicles.csv"
        pathHelp={kind === 'https' ? ABOUT_DAYS : `${ABOUT_DAYS}. ${ABOUT_STARS}`}
        hasSecret={hasSecret}
        onUrl={(text) => {
          const values = isReadOnly ? null : fromUrl(text)
          if (values !== null) record.change(values)
          return values !== null
        }}
      />
      {canRemove({ kind }) && (
        <Select
          {...field('afterFetch')}
          className="fc-wide"
          description="Done after the file is stored. The user name needs permission to do this on the server."
          data={[...AFTER_CHOICES]}
          allowDeselect={false}
        />
      )}
      {canRemove({ kind }) && afterFetch === 'move' && (
        <TextInput
          {...field('moveTo')}
          className="fc-wide"
          required
          maxLength={500}
          autoComplete="off"
          placeholder="done"
          description="An existing folder on the server. Start with a slash for an absolute path; otherwise it is relative to the file's folder."
          dir="ltr"
        />
      )}
      <ScheduleFields field={field} schedule={schedule} />
    </>
  )
}
