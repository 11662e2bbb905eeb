import { useMutation } from '@tanstack/react-query'
import { Channel, channels } from '#contract/channels/channels/channels.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import {
  BLANK,
  type ChannelValues,
  checkChannel,
  FIELD_NAMES,
  showField,
  toInput,
  toValues,
} from './channel-form.ts'
import { ChannelAddress } from './ChannelAddress.tsx'
import { ChannelFields } from './ChannelFields.tsx'

type Props = {
  /** Null for a new one. */
  channel: Channel | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Called after saving or reloading. */
  onKept?: (channel: Channel) => void
}

const addChannel = send(channels.add)
const updateChannel = send(channels.update)
const removeChannel = send(channels.remove)

/** The form of one channel: saves, deletes, and resolves conflicts with another user's changes. */
export function ChannelForm({ channel, onClose, onCreated, onKept }: Props) {
  const endpoint = channel ? channels.update : channels.add
  const record = useRecordForm<ChannelValues, Channel>({
    record: channel,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: Channel,
    endpoint,
    check: checkChannel,
    save: (values, version) =>
      channel ? updateChannel({ ...toInput(values), id: channel.id, version }) : addChannel(toInput(values)),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(channels.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(channel ? 'Channel saved' : 'Channel added', saved.name)
      if (!channel) onCreated(saved.id)
    },
  })
  const remove = useMutation({
    mutationFn: removeChannel,
    onSuccess: () => {
      record.release()
      toast('Channel deleted', channel?.name)
      onClose(true)
    },
    onError: (failure) => showError(failure),
  })
  async function confirmRemoval({ id, name, destination }: Channel) {
    const isSure = await ask({
      title: `Delete ${name}?`,
      text:
        destination === 'pull'
          ? "The download link stops working, and the channel's run history is deleted. You can't undo this."
          : "The channel's password and run history are deleted. The last file stays on the server. You can't undo this.",
      confirm: 'Delete channel',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }

  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      <ChannelFields record={record} channel={channel}>
        {channel && (
          <ChannelAddress
            channel={channel}
            isChanged={record.changed.length > 0}
            onKept={(kept) => onKept?.(kept)}
          />
        )}
      </ChannelFields>
      <FormFooter
        record={record}
        for={endpoint}
        save={channel ? 'Save channel' : 'Add channel'}
        onCancel={() => onClose(false)}
      >
        {channel && (
          <Action
            for={channels.remove}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => void confirmRemoval(channel)}
          >
            Delete channel
          </Action>
        )}
      </FormFooter>
      <StaleDialog record={record} thing="this channel" show={showField} />
    </RecordForm>
  )
}
