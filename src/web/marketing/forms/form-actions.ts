import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { send } from '#web/api/query.ts'
import { changeDocument, documentActions } from '#web/ui/document/document-actions.ts'

const actions = documentActions<Form>('form', {
  get: forms.get,
  publish: send(forms.publish),
  remove: send(forms.remove),
})
const sendClose = send(forms.close)

export const { remove: removeForm } = actions

/** Publishes the saved draft. @returns the form, or null after a failure, which is shown */
export const publishForm = (form: Form): Promise<Form | null> =>
  actions.publish(form, form.status === 'closed' ? 'Form opened' : 'Form published')

/** Asks, then closes the form for visitors. @returns the form, or null if the user canceled or it failed */
export const closeForm = ({ id, name }: Form): Promise<Form | null> =>
  changeDocument(
    sendClose,
    { id },
    {
      question: {
        title: `Close ${name}?`,
        text: 'Visitors will see that this form is closed, also on pages and layouts that show it. Short URLs to it stop working. To open it again, publish it.',
        confirm: 'Close form',
      },
      says: ['Form closed', name],
    },
  )

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
