import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  questionnaires,
  questionnaireSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { query, send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { NewRecord } from '#web/ui/record/NewRecord.tsx'
import { recordForm } from '#web/ui/record/record-form.ts'
import { OrganizationField } from './OrganizationField.tsx'
import type { z } from 'zod'

const MAX_KEY = 60
/** The choice of no template. */
const BLANK = 'blank'

/** The key proposed for a name: "Dealer site 2027" becomes `dealer-site-2027`. */
function keyFor(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_KEY)
    .replaceAll(/^-|-$/g, '')
}

/** A questionnaire with one empty section. */
function blankQuestionnaire(named: {
  name: string
  key: string
  organizationId?: string
}): z.input<typeof questionnaires.add.input> {
  return {
    ...named,
    draft: { languages: ['en'], sections: [{ id: 'section1', title: { en: 'Section 1' }, questions: [] }] },
  }
}

const add = send(questionnaires.add)
const addFromTemplate = send(questionnaires.addFromTemplate)

const VALUES = { template: BLANK, name: '', key: '', organizationId: '' }
type Values = typeof VALUES
const LABELS = { template: 'Start from', name: 'Name', key: 'Key', organizationId: 'Organization' }

const namesOf = ({ name, key, organizationId }: Values) => ({
  name,
  key,
  ...(organizationId !== '' && { organizationId }),
})
const toInput = (values: Values) => blankQuestionnaire(namesOf(values))

/** Name, organization and template of a new questionnaire. The editor opens with it. */
export function NewQuestionnaireDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <NewRecord
      noun="questionnaire"
      about="Saved as a draft until you publish it"
      endpoint={questionnaires.add}
      blank={VALUES}
      labels={LABELS}
      toInput={toInput}
      add={(values) =>
        values.template === BLANK
          ? add(toInput(values))
          : addFromTemplate({ ...namesOf(values), template: values.template })
      }
      opens={{ get: questionnaires.get, labels: recordForm(questionnaireSummary).labels }}
      onAdded={({ id }, { isTyping }) =>
        void navigate({
          to: '/configure-questionnaire/$id',
          params: { id },
          // Where the same fields are.
          search: isTyping ? { tab: 'settings' } : {},
          ignoreBlocker: true,
        })
      }
      onClose={onClose}
    >
      {({ field, form: { values, errors }, change, isSaving }) => {
        // Until it is edited or sent, the key follows the name.
        const named = (name: string) => ({
          name,
          ...(!isSaving && values.key === keyFor(values.name) && { key: keyFor(name) }),
        })
        return (
          <>
            <Templates
              value={values.template}
              onChange={(template, proposed) =>
                change({ template, ...(proposed !== null && values.name === '' && named(proposed)) })
              }
            />
            <TextInput
              {...field('name')}
              className="fc-wide"
              data-autofocus
              required
              maxLength={100}
              autoComplete="off"
              onChange={({ currentTarget: { value } }) => change(named(value))}
            />
            <TextInput
              {...field('key')}
              className="fc-wide"
              required
              maxLength={60}
              autoComplete="off"
              description="The name of the questionnaire in files."
            />
            <OrganizationField
              value={values.organizationId}
              error={errors['organizationId']}
              onChange={(organizationId) => change({ organizationId })}
            />
          </>
        )
      }}
    </NewRecord>
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
