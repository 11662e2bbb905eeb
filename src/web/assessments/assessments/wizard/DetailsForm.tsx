import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type Assessment,
  assessmentRecord,
  assessments,
  RECURRENCES,
} from '#contract/assessments/assessments/assessments.ts'
import type { QuestionnaireChoice } from '#contract/assessments/assessments/setup.ts'
import { REVIEWS } from '#contract/assessments/targets/target-states.ts'
import { SIZE_CHOICES } from '#contract/questions/vocabulary.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { useToday } from '#web/session/use-today.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { type RecordFormState, useRecordForm } from '#web/ui/record/use-record-form.ts'
import { ownLock, showPeriod } from '../assessment-labels.ts'
import {
  checkDetails,
  chooseQuestionnaire,
  describeVersion,
  DETAILS_FORM,
  type DetailsValues,
  newDetails,
  showDetail,
} from './details-form.ts'

const addAssessment = send(assessments.add)
const updateAssessment = send(assessments.update)

type Props = {
  /** Null for a new one. */
  assessment: Assessment | null
  /** Preselected for a new one. */
  questionnaireId?: string | undefined
  choices: readonly QuestionnaireChoice[]
  onCreated?: (added: Assessment) => void
  /** Called after it was saved or reloaded. */
  onKept?: (kept: Assessment) => void
}

/** What an assessment asks, for which period, and by when. */
export function DetailsForm({ assessment: loaded, questionnaireId, choices, onCreated, onKept }: Props) {
  const [isAgain, setAgain] = useState(false)
  const assessment = isAgain ? null : loaded
  const today = useToday()
  const [blank] = useState(() => preselect(newDetails(today), choices, questionnaireId))
  const endpoint = assessment ? assessments.update : assessments.add
  const record = useRecordForm<DetailsValues, Assessment>({
    record: assessment,
    blank,
    toValues: DETAILS_FORM.toValues,
    labels: DETAILS_FORM.labels,
    schema: assessmentRecord.schema,
    endpoint,
    isLocked: assessment !== null && ownLock(assessment) !== null,
    check: checkDetails,
    save: (values, version) =>
      assessment
        ? updateAssessment({ ...DETAILS_FORM.toInput(values), id: assessment.id, version })
        : addAssessment(DETAILS_FORM.toInput(values)),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(assessments.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(assessment ? 'Assessment saved' : 'Draft added', saved.name)
      if (!assessment) onCreated?.(saved)
    },
  })
  const { changed, isSaving, submit, discard } = record
  const labels: Readonly<Record<string, string>> = DETAILS_FORM.labels
  return (
    <RecordForm record={record} className="fc-assessment-details">
      <QuestionnaireSection record={record} assessment={assessment} choices={choices} />
      <PeriodSection record={record} />
      <ReminderSection record={record} />
      <ReviewSection record={record} assessment={assessment} />
      {assessment === null && (
        <div className="fc-details-end">
          <Action for={endpoint} type="submit" loading={isSaving}>
            Save and choose targets
          </Action>
        </div>
      )}
      {assessment && (changed.length > 0 || record.conflict) && (
        <SaveBar
          title={`${count(changed.length, 'field', 'fields')} changed`}
          line={changed.map((name) => labels[name]).join(', ')}
          for={endpoint}
          isSaving={isSaving}
          onSave={submit}
          onDiscard={discard}
          conflict={record.conflict}
          onShowWrong={record.showWrong}
        />
      )}
      <StaleDialog
        record={record}
        thing="this assessment"
        show={showDetail}
        again={{ endpoint: assessments.add, start: () => setAgain(true) }}
      />
    </RecordForm>
  )
}

function preselect(
  values: DetailsValues,
  choices: readonly QuestionnaireChoice[],
  id: string | undefined,
): DetailsValues {
  const chosen = choices.find((one) => one.id === id) ?? (choices.length === 1 ? choices[0] : undefined)
  return chosen === undefined ? values : { ...values, ...chooseQuestionnaire(values, chosen, undefined) }
}

type DetailsRecord = RecordFormState<DetailsValues, Assessment>
type SectionProps = {
  record: DetailsRecord
  assessment: Assessment | null
  choices: readonly QuestionnaireChoice[]
}

function QuestionnaireSection({ record, assessment, choices }: SectionProps) {
  const { field, form, change, isReadOnly } = record
  const { questionnaireId, questionnaireNumber } = form.values
  const isPinned = assessment !== null && assessment.status !== 'draft'
  const chosen = choices.find(({ id }) => id === questionnaireId)
  // The questionnaire of an assessment stays readable when it is retired.
  const kept = assessment === null || chosen !== undefined ? [] : [toKept(assessment)]
  const version = chosen?.versions.find(({ number }) => number === questionnaireNumber)
  const versions = chosen?.versions.map(({ number }) => number) ?? [questionnaireNumber]
  return (
    <FormSection
      title="Questionnaire"
      text={
        isPinned
          ? 'An open assessment keeps its questionnaire. “Move to another version” in its menu shows what happens to the answers.'
          : 'A published version never changes, so everyone answers the same questions.'
      }
    >
      <Select
        {...field('questionnaireId')}
        required
        searchable
        allowDeselect={false}
        disabled={isPinned}
        placeholder="Choose a questionnaire"
        nothingFoundMessage="No published questionnaire found"
        value={questionnaireId || null}
        data={[
          ...choices.map(({ id, name, organizationName }) => ({
            value: id,
            label: organizationName === null ? name : `${name} (${organizationName})`,
          })),
          ...kept,
        ]}
        onChange={(value) => {
          const next = choices.find(({ id }) => id === value)
          if (next !== undefined) change(chooseQuestionnaire(form.getValues(), next, chosen))
        }}
      />
      <Select
        {...field('questionnaireNumber')}
        required
        allowDeselect={false}
        disabled={isPinned || isReadOnly || chosen === undefined}
        value={String(questionnaireNumber)}
        data={versions.map((number) => ({ value: String(number), label: `Version ${number}` }))}
        description={<bdi>{describeVersion(form.values, choices)}</bdi>}
        onChange={(value) =>
          value !== null && change({ questionnaireNumber: Number(value), edition: '', size: '' })
        }
      />
      {version !== undefined && version.editions.length > 0 && (
        <Select
          {...field('edition')}
          required
          disabled={isPinned}
          placeholder="Choose an edition"
          value={form.values.edition || null}
          data={version.editions}
          description={<bdi>Decides which questions are required.</bdi>}
          onChange={(value) => change({ edition: value ?? '' })}
        />
      )}
      {version?.hasSizes === true && (
        <Select
          {...field('size')}
          required
          disabled={isPinned}
          placeholder="Choose a size"
          value={form.values.size || null}
          data={[...SIZE_CHOICES]}
          description={
            <bdi>
              The size of most companies that answer. It decides which questions are required. Targets can
              have their own.
            </bdi>
          }
          onChange={(value) => change({ size: SIZE_CHOICES.find((one) => one.value === value)?.value ?? '' })}
        />
      )}
      <TextInput {...field('name')} className="fc-wide" required maxLength={120} autoComplete="off" />
    </FormSection>
  )
}

const toKept = ({ questionnaireId, questionnaireName }: Assessment) => ({
  value: questionnaireId,
  label: questionnaireName,
})

function PeriodSection({ record: { field } }: { record: DetailsRecord }) {
  return (
    <FormSection
      title="Period and dates"
      text="The period that the answers cover. Targets can be given their own due date later."
    >
      <TextInput {...field('periodStart')} type="date" required max="2100-12-31" />
      <TextInput {...field('periodEnd')} type="date" required max="2100-12-31" />
      <TextInput
        {...field('opensOn')}
        type="date"
        required
        max="2100-12-31"
        description={<bdi>Answers can be entered from this day.</bdi>}
      />
      <TextInput {...field('dueOn')} type="date" required max="2100-12-31" />
    </FormSection>
  )
}

const REMINDERS = ['remindUntouchedDays', 'remindStartedDays'] as const

/** Reminders on schedule, and the draft for the next year. */
function ReminderSection({ record: { field, form, change } }: { record: DetailsRecord }) {
  return (
    <FormSection
      title="Reminders and repetition"
      text="Each person gets each reminder once, between 8 AM and 6 PM. Leave the days empty to send none."
    >
      {REMINDERS.map((name) => (
        <NumberField
          takesText
          key={name}
          {...field(name)}
          value={form.values[name]}
          min={0}
          max={365}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <Select
        {...field('recurrence')}
        data={[...RECURRENCES]}
        allowDeselect={false}
        description={<bdi>A draft for the next year is added 30 days before it opens.</bdi>}
        onChange={(value) =>
          change({ recurrence: RECURRENCES.find((one) => one.value === value)?.value ?? 'none' })
        }
      />
    </FormSection>
  )
}

type ReviewProps = { record: DetailsRecord; assessment: Assessment | null }

function ReviewSection({ record, assessment }: ReviewProps) {
  const { field, form, change } = record
  const { periodStart } = form.values
  const { rows, search } = useSearchable(assessments.list, {
    sort: '-dueOn',
    ...(periodStart !== '' && { filter: `periodEnd < date("${periodStart}")` }),
  })
  const earlier = rows.filter(({ id, periodEnd }) => id !== assessment?.id && periodEnd < periodStart)
  const kept =
    assessment?.previousId && earlier.every(({ id }) => id !== assessment.previousId)
      ? [{ value: assessment.previousId, label: assessment.previousName ?? assessment.previousId }]
      : []
  return (
    <FormSection title="Review" text="A reviewer never approves their own answers.">
      <Select
        {...field('review')}
        data={[...REVIEWS]}
        allowDeselect={false}
        onChange={(value) => change({ review: REVIEWS.find((one) => one.value === value)?.value ?? 'one' })}
      />
      <Select
        {...field('previousId')}
        value={form.values.previousId || null}
        data={[
          ...earlier.map((one) => ({ value: one.id, label: `${one.name}, ${showPeriod(one)}` })),
          ...kept,
        ]}
        searchable
        onSearchChange={search}
        clearable
        placeholder="None"
        nothingFoundMessage="No assessment of an earlier period"
        description={<bdi>Its answers are shown next to the questions.</bdi>}
        onChange={(value) => change({ previousId: value ?? '' })}
      />
    </FormSection>
  )
}
