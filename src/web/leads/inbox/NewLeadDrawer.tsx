import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { fieldSentences } from '#contract/field-sentences.ts'
import { LEAD_TYPES, type LeadType } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { useSubmitHotkey } from '#web/ui/form/save-hotkey.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { useKeptGuard } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'

const addLead = send(leads.add)
const BLANK = {
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  type: 'used',
  sourceName: 'Phone call',
  lotId: '',
  comments: '',
}
type Values = typeof BLANK
const LABELS: Readonly<Record<keyof Values, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  type: 'About',
  sourceName: 'Source',
  lotId: 'Lot',
  comments: 'Comments',
}

const isType = (text: string): text is LeadType => LEAD_TYPES.some(({ value }) => value === text)
const toInput = ({ comments, type, ...values }: Values) => ({
  ...values,
  type: isType(type) ? type : ('general' as const),
  comments: comments.trim() === '' ? null : comments,
  isMine: true,
})

type Props = { onClose: () => void; onCreated: (id: string) => void }

/** A lead that came by phone or in person. It belongs to the user who adds it. */
export function NewLeadDrawer({ onClose, onCreated }: Props) {
  const { choices } = useLotNames()
  const form = useForm({
    initialValues: BLANK,
    validate: (values) => {
      const { error } = leads.add.input.safeParse(toInput(values))
      return error ? fieldSentences(error) : {}
    },
  })
  const { kept, release } = useKeptGuard({
    endpoint: leads.add,
    record: null,
    values: form.values,
    changed: Object.keys(BLANK).filter((name) => form.isDirty(name)),
    putBack: (values) => form.setValues(values),
  })
  const add = useMutation({
    mutationFn: addLead,
    onSuccess: ({ id, personName }) => {
      release()
      toast('Lead added', personName)
      onCreated(id)
    },
    onError: (failure) => {
      if (Object.keys(failure.fields).length > 0) form.setErrors({ ...failure.fields })
      else showError(failure)
    },
  })
  const element = useSubmitHotkey()
  const text = (name: keyof Values) => (
    <TextInput {...form.getInputProps(name)} label={LABELS[name]} autoComplete="off" maxLength={254} />
  )
  return (
    <FormDrawer title="Add lead" about="From a phone call or a visit; assigned to you" onClose={onClose}>
      <form
        ref={element}
        className="fc-form"
        noValidate
        onSubmit={form.onSubmit((values) => {
          if (!add.isPending) add.mutate(toInput(values))
        })}
      >
        <Locked isBusy={add.isPending}>
          <KeptNotice kept={kept} labels={LABELS} />
          <div className="fc-form-fields">
            {text('firstName')}
            {text('lastName')}
            {text('email')}
            {text('phone')}
            <Select
              {...form.getInputProps('type')}
              label={LABELS.type}
              data={[...LEAD_TYPES]}
              allowDeselect={false}
            />
            {text('sourceName')}
            <Select
              {...form.getInputProps('lotId')}
              value={form.values.lotId || null}
              onChange={(lotId) => form.setFieldValue('lotId', lotId ?? '')}
              label={LABELS.lotId}
              className="fc-wide"
              data={choices}
              searchable
              required
            />
            <Textarea
              {...form.getInputProps('comments')}
              label={LABELS.comments}
              className="fc-wide"
              autosize
              minRows={3}
              maxLength={4_000}
            />
          </div>
          <div className="fc-form-footer">
            <span className="fc-grow" />
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Action for={leads.add} type="submit" loading={add.isPending}>
              Add lead
            </Action>
          </div>
        </Locked>
      </form>
    </FormDrawer>
  )
}
