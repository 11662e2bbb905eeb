import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'

const sendPublish = send(forms.publish)
const sendClose = send(forms.close)
const sendRemove = send(forms.remove)

/** Publishes the saved draft. @returns the form, or null after a failure, which is shown */
export async function publishForm({ id, version, name, status }: Form): Promise<Form | null> {
  const published = await shown(sendPublish({ id, version }))
  if (published === null) return null
  toast(
    status === 'closed' ? 'Form opened' : 'Form published',
    `${name}, version ${published.publishedNumber}`,
  )
  return published
}

/** Asks, then closes the form for visitors. @returns the form, or null if the user canceled or it failed */
export async function closeForm({ id, name }: Form): Promise<Form | null> {
  const isSure = await ask({
    title: `Close ${name}?`,
    text: 'Visitors will see that this form is closed. To open it again, publish it.',
    confirm: 'Close form',
  })
  const closed = isSure ? await shown(sendClose({ id })) : null
  if (closed !== null) toast('Form closed', name)
  return closed
}

/** Asks, then deletes the form. @returns whether it is deleted */
export async function removeForm({ id, name }: Form): Promise<boolean> {
  const isSure = await ask({
    title: `Delete ${name}?`,
    text: "The form and its versions will be deleted. This can't be undone.",
    confirm: 'Delete form',
    isDestructive: true,
  })
  if (!isSure) return false
  const isRemoved = await shown(sendRemove({ id }).then(() => true))
  if (isRemoved === true) toast('Form deleted', name)
  return isRemoved === true
}

/** Why the form can't be published, as a sentence; null if it can. */
export const publishLock = ({ status, hasChanges }: Form): string | null =>
  status === 'published' && !hasChanges ? 'Visitors already see this version.' : null

/** Why the form can't be closed, as a sentence; null if it can. */
export function closeLock({ status }: Form): string | null {
  if (status === 'published') return null
  return status === 'draft' ? 'This form was never published.' : 'This form is already closed.'
}

/** Why the form can't be deleted, as a sentence; null if it can. */
export const removeLock = ({ submissions }: Form): string | null =>
  submissions > 0 ? 'This form has submissions. Close it instead.' : null

async function shown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    const [detail] = Object.values(failure.fields)
    if (detail !== undefined && failure.status === 400) {
      const { kind, status, requestId } = failure
      showError(new CallFailure({ kind, status, requestId, message: detail }))
    } else showError(failure)
    return null
  }
}
