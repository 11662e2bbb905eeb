import { useMutation } from '@tanstack/react-query'
import { FeedSource, feedSources, CUSTOMER_MANAGED } from '#contract/feeds/sources/feed-sources.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import {
  BLANK,
  checkSource,
  FIELD_NAMES,
  showField,
  type SourceValues,
  toInput,
  toValues,
} from './source-form.ts'
import { SourceAddress } from './SourceAddress.tsx'
import { SourceFields } from './SourceFields.tsx'

type Props = {
  /** Null for a new one. */
  source: FeedSource | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Called after a save or reload. */
  onKept?: (source: FeedSource) => void
}

const addSource = send(feedSources.add)
const updateSource = send(feedSources.update)
const removeSource = send(feedSources.remove)

/** The form of one feed source: saves, deletes, and resolves conflicts with changes saved by others. */
export function SourceForm({ source, onClose, onCreated, onKept }: Props) {
  const endpoint = source ? feedSources.update : feedSources.add
  const record = useRecordForm<SourceValues, FeedSource>({
    record: source,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: FeedSource,
    endpoint,
    isLocked: source?.isReadOnly === true,
    check: checkSource,
    save: (values, version) =>
      source ? updateSource({ ...toInput(values), id: source.id, version }) : addSource(toInput(values)),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(feedSources.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(source ? 'Feed source saved' : 'Feed source added', saved.name)
      if (!source) onCreated(saved.id)
    },
  })
  const lock = source?.isReadOnly === true ? CUSTOMER_MANAGED : null
  const remove = useMutation({
    mutationFn: removeSource,
    onSuccess: () => {
      record.release()
      toast('Feed source deleted', source?.name)
      onClose(true)
    },
    onError: (failure) => showError(failure),
  })
  async function confirmRemoval({ id, name }: FeedSource) {
    const isSure = await ask({
      title: `Delete ${name}?`,
      text: "Its feeds and vehicles stay. Its password and upload URL are deleted, and its vehicles no longer count as missing when a feed doesn't list them. This can't be undone.",
      confirm: 'Delete feed source',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }
  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      {lock !== null && <Notice>{lock}</Notice>}
      <SourceFields record={record} source={source} />
      {source && (
        <SourceAddress
          source={source}
          lock={lock ?? (record.changed.length > 0 ? 'Save your changes first.' : null)}
          onKept={(kept) => onKept?.(kept)}
        />
      )}
      <FormFooter
        record={record}
        for={endpoint}
        lock={lock}
        save={source ? 'Save feed source' : 'Add feed source'}
        onCancel={() => onClose(false)}
      >
        {source && (
          <Action
            for={feedSources.remove}
            lock={lock}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => void confirmRemoval(source)}
          >
            Delete feed source
          </Action>
        )}
      </FormFooter>
      <StaleDialog record={record} thing="this feed source" show={showField} />
    </RecordForm>
  )
}
