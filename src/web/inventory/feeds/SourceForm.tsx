import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FeedSource, feedSources } from '#contract/inventory/feed-sources.ts'
import { providerMappings } from '#contract/inventory/provider-mappings.ts'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/Action.tsx'
import { ask, showError } from '#web/ui/dialogs.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/form/RecordForm.tsx'
import { StaleDialog } from '#web/ui/form/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/form/use-record-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useLotNames } from '../vehicles/use-lot-names.ts'
import { BLANK, checkSource, FIELD_NAMES, type SourceValues, toInput, toValues } from './source-fields.ts'
import { kindName, SOURCE_KINDS } from './source-kinds.ts'

type Props = {
  /** Null for a new one. */
  source: FeedSource | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Saved, or reloaded. */
  onKept?: (source: FeedSource) => void
}

const addSource = send(feedSources.add)
const updateSource = send(feedSources.update)
const removeSource = send(feedSources.remove)

/** The form of one feed source: saves, deletes, and settles with what somebody else saved meanwhile. */
export function SourceForm({ source, onClose, onCreated, onKept }: Props) {
  const endpoint = source ? feedSources.update : feedSources.add
  const lots = useLotNames()
  const mappings = useQuery(query(providerMappings.list, { pageSize: MAX_PAGE_SIZE, sort: 'name' }))
  const record = useRecordForm<SourceValues, FeedSource>({
    record: source,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: FeedSource,
    endpoint,
    check: checkSource,
    save: (values, version) =>
      source ? updateSource({ ...toInput(values), id: source.id, version }) : addSource(toInput(values)),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(feedSources.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: async (saved) => {
      toast(source ? 'Feed source saved' : 'Feed source added', saved.name)
      if (!source) onCreated(saved.id)
      await forgetSources()
    },
  })
  const remove = useMutation({
    mutationFn: removeSource,
    onSuccess: async () => {
      record.release()
      toast('Feed source deleted', source?.name)
      onClose(true)
      await forgetSources()
    },
    onError: (failure) => showError(failure),
  })
  async function confirmRemoval({ id, name }: FeedSource) {
    const isSure = await ask({
      title: `Delete ${name}?`,
      text: 'Its runs and vehicles stay. Vehicles it brought are no longer missed when a feed lacks them. This cannot be undone.',
      confirm: 'Delete source',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }
  const { form, field, isReadOnly } = record
  const { kind, mappingId } = form.values
  const own = SOURCE_KINDS[kind]
  const mappingNames = new Map([
    ...(source?.mappingId == null ? [] : [[source.mappingId, source.mappingName ?? 'Its mapping'] as const]),
    ...(mappings.data?.results ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const lotNames = [
    ...lots.choices,
    ...form.values.lotIds
      .filter((id) => !lots.choices.some(({ value }) => value === id))
      .map((value) => ({ value, label: `Lot ${value}` })),
  ]
  const kinds = [...new Set([...Object.keys(SOURCE_KINDS), kind])]
  return (
    <RecordForm record={record} isBusy={remove.isPending}>
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
          description={own?.about}
          data={kinds.map((value) => ({ value, label: kindName(value) }))}
          allowDeselect={false}
        />
        {own?.Fields && <own.Fields record={record} source={source} />}
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
          placeholder={form.values.lotIds.length === 0 ? 'All that you reach' : ''}
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
      <FormFooter
        record={record}
        for={endpoint}
        save={source ? 'Save source' : 'Add source'}
        onCancel={() => onClose(false)}
      >
        {source && (
          <Action
            for={feedSources.remove}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => void confirmRemoval(source)}
          >
            Delete source
          </Action>
        )}
      </FormFooter>
      <StaleDialog record={record} thing="this feed source" />
    </RecordForm>
  )
}

async function forgetSources(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keyOf(feedSources.list) })
}
