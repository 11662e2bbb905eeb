import { useMutation } from '@tanstack/react-query'
import { EmailHandler, emailHandlers } from '#contract/mail/handlers/handlers.ts'
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
  checkHandler,
  FIELD_NAMES,
  type HandlerValues,
  showField,
  toInput,
  toValues,
} from './handler-form.ts'
import { HandlerFields } from './HandlerFields.tsx'

type Props = {
  /** Null for a new one. */
  handler: EmailHandler | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
  /** Saved, or reloaded. */
  onKept?: (handler: EmailHandler) => void
}

const addHandler = send(emailHandlers.add)
const updateHandler = send(emailHandlers.update)
const removeHandler = send(emailHandlers.remove)

/** The form of one email handler: saves, deletes, and resolves conflicting changes. */
export function HandlerForm({ handler, onClose, onCreated, onKept }: Props) {
  const endpoint = handler ? emailHandlers.update : emailHandlers.add
  const record = useRecordForm<HandlerValues, EmailHandler>({
    record: handler,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: EmailHandler,
    endpoint,
    check: checkHandler,
    save: (values, version) =>
      handler
        ? updateHandler({ emailHandler: { ...toInput(values), id: handler.id, version } })
        : addHandler({ emailHandler: toInput(values) }),
    keep: (saved) => {
      queryClient.setQueryData([...keyOf(emailHandlers.get), { id: saved.id }], saved)
      onKept?.(saved)
    },
    onSaved: (saved) => {
      toast(handler ? 'Email handler saved' : 'Email handler added', saved.name)
      if (!handler) onCreated(saved.id)
    },
  })
  const remove = useMutation({
    mutationFn: removeHandler,
    onSuccess: () => {
      record.release()
      toast('Email handler deleted', handler?.name)
      onClose(true)
    },
    onError: (failure) => showError(failure),
  })
  async function confirmRemoval({ id, name, isDefault }: EmailHandler) {
    const isSure = await ask({
      title: `Delete ${name}?`,
      text: isDefault
        ? "This is the default handler. Without it, the installation's mail server sends emails. This can't be undone."
        : "Its password is deleted too. This can't be undone.",
      confirm: 'Delete handler',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }

  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      <HandlerFields record={record} handler={handler} />
      <FormFooter
        record={record}
        for={endpoint}
        save={handler ? 'Save handler' : 'Add handler'}
        onCancel={() => onClose(false)}
      >
        {handler && (
          <Action
            for={emailHandlers.remove}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => void confirmRemoval(handler)}
          >
            Delete handler
          </Action>
        )}
      </FormFooter>
      <StaleDialog record={record} thing="this email handler" show={showField} />
    </RecordForm>
  )
}
