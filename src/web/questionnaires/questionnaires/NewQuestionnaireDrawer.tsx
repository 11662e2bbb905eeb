import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { OrganizationField } from './OrganizationField.tsx'
import { BLANK, blankQuestionnaire, keyFor } from './new-questionnaire.ts'

const add = send(questionnaires.add)
const addFromTemplate = send(questionnaires.addFromTemplate)

type Values = { template: string; name: string; key: string; organizationId: string }

const namesOf = ({ name, key, organizationId }: Values) => ({
  name,
  key,
  ...(organizationId !== '' && { organizationId }),
})

/** Name, organization and template of a new questionnaire. The editor opens with it. */
export function NewQuestionnaireDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm<Values>({
    initialValues: { template: BLANK, name: '', key: '', organizationId: '' },
    validate: (values) => {
      const { error } = questionnaires.add.input.safeParse(blankQuestionnaire(namesOf(values)))
      return error ? fieldSentences(error) : {}
    },
  })
  const { release } = useUnsavedGuard(form.isDirty())
  const adding = useMutation({
    mutationFn: (values: Values) =>
      values.template === BLANK
        ? add(blankQuestionnaire(namesOf(values)))
        : addFromTemplate({ ...namesOf(values), template: values.template }),
    onSuccess: ({ id, name }) => {
      release()
      toast('Questionnaire added', name)
      void navigate({ to: '/configure-questionnaire/$id', params: { id }, ignoreBlocker: true })
    },
    onError: (failure) => {
      if (Object.keys(failure.fields).length > 0) form.setErrors({ ...failure.fields })
      else showError(failure)
    },
  })
  const { name, key } = form.values
  // Until it is edited, the key follows the name.
  const rename = (next: string) => {
    form.setFieldValue('name', next)
    if (key === keyFor(name)) form.setFieldValue('key', keyFor(next))
  }
  return (
    <FormDrawer title="New questionnaire" about="Saved as a draft until you publish it" onClose={onClose}>
      <form
        className="fc-form"
        noValidate
        onSubmit={form.onSubmit((values) => {
          if (!adding.isPending) adding.mutate(values)
        })}
      >
        <div className="fc-form-fields">
          <Templates
            value={form.values.template}
            onChange={(template, proposed) => {
              form.setFieldValue('template', template)
              if (proposed !== null && name === '') rename(proposed)
            }}
          />
          <TextInput
            {...form.getInputProps('name')}
            label="Name"
            className="fc-wide"
            data-autofocus
            required
            maxLength={100}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => rename(value)}
          />
          <TextInput
            {...form.getInputProps('key')}
            label="Key"
            className="fc-wide"
            required
            maxLength={60}
            autoComplete="off"
            description="The name of the questionnaire in files."
          />
          <OrganizationField
            value={form.values.organizationId}
            error={form.errors.organizationId}
            onChange={(id) => form.setFieldValue('organizationId', id)}
          />
        </div>
        <div className="fc-form-footer">
          <span className="fc-grow" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Action for={questionnaires.add} type="submit" loading={adding.isPending}>
            Add questionnaire
          </Action>
        </div>
      </form>
    </FormDrawer>
  )
}

/** Which template to start from. `proposed`: the name of the template. */
function Templates({
  value,
  onChange,
}: {
  value: string
  onChange: (template: string, proposed: string | null) => void
}) {
  const { data = [], error } = useQuery(query(questionnaires.templates, {}))
  const choices = [
    { key: BLANK, name: 'Blank', text: 'Write your own questions.', proposed: null },
    ...data.map(({ key, name, description, questionCount, sectionCount }) => ({
      key,
      name,
      text: `${description} ${count(questionCount, 'question', 'questions')} in ${count(sectionCount, 'section', 'sections')}.`,
      proposed: name,
    })),
  ]
  return (
    <fieldset className="fc-template-group fc-wide">
      <legend>Start from</legend>
      <div className="fc-templates">
        {choices.map(({ key, name, text, proposed }) => (
          <label key={key} className="fc-template-choice">
            <input
              type="radio"
              name="template"
              value={key}
              checked={value === key}
              onChange={() => onChange(key, proposed)}
            />
            <strong>{name}</strong>
            <span className="fc-small fc-soft">{text}</span>
          </label>
        ))}
      </div>
      {error !== null && (
        <p className="fc-rows-error" role="alert">
          Couldn't load the templates. {error.message}
        </p>
      )}
    </fieldset>
  )
}
