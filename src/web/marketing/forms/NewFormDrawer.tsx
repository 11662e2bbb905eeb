import { Button, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fieldSentences } from '#contract/field-sentences.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { addressFor, newForm } from './new-form.ts'

const addForm = send(forms.add)

/** The name, address and lot of a new form. Its questions are a simple template, which the builder opens with. */
export function NewFormDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { choices } = useLotNames()
  const form = useForm({
    initialValues: { name: '', key: '', lotId: '' },
    validate: (values) => {
      const { error } = forms.add.input.safeParse(toInput(values))
      return error ? fieldSentences(error) : {}
    },
  })
  const { release } = useUnsavedGuard(form.isDirty())
  const add = useMutation({
    mutationFn: addForm,
    onSuccess: ({ id, name }) => {
      release()
      toast('Form added', name)
      void navigate({ to: '/dvp/forms/$id', params: { id }, ignoreBlocker: true })
    },
    onError: (failure) => {
      if (Object.keys(failure.fields).length > 0) form.setErrors({ ...failure.fields })
      else showError(failure)
    },
  })
  const { name, key } = form.values
  return (
    <FormDrawer
      title="New form"
      about="Starts with name, email, phone, message and a consent"
      onClose={onClose}
    >
      <form
        className="fc-form"
        noValidate
        onSubmit={form.onSubmit((values) => {
          if (!add.isPending) add.mutate(toInput(values))
        })}
      >
        <div className="fc-form-fields">
          <TextInput
            {...form.getInputProps('name')}
            label="Name"
            className="fc-wide"
            data-autofocus
            required
            maxLength={100}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => {
              form.setFieldValue('name', value)
              // Until it is edited, the address follows the name.
              if (key === addressFor(name)) form.setFieldValue('key', addressFor(value))
            }}
          />
          <TextInput
            {...form.getInputProps('key')}
            label="Address"
            className="fc-wide"
            required
            maxLength={60}
            autoComplete="off"
            description={<bdi>{`The page of the form: /f/${key || 'test-drive'}`}</bdi>}
          />
          <Select
            {...form.getInputProps('lotId')}
            value={form.values.lotId || null}
            onChange={(lotId) => form.setFieldValue('lotId', lotId ?? '')}
            label="Lot"
            className="fc-wide"
            data={choices}
            searchable
            clearable
            placeholder="All organizations"
            description={
              <bdi>Receives what visitors send, unless they ask about a vehicle: then its lot does.</bdi>
            }
          />
        </div>
        <div className="fc-form-footer">
          <span className="fc-grow" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Action for={forms.add} type="submit" loading={add.isPending}>
            Add form
          </Action>
        </div>
      </form>
    </FormDrawer>
  )
}

const toInput = ({ name, key, lotId }: { name: string; key: string; lotId: string }) =>
  newForm({ name, key, lotId: lotId || null })
