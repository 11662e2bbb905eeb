import {
  type Assessment,
  assessmentRecord,
  RECURRENCES,
} from '#contract/assessments/assessments/assessments.ts'
import type { QuestionnaireChoice } from '#contract/assessments/assessments/setup.ts'
import { dayAfter } from '#contract/days.ts'
import { REVIEWS } from '#contract/assessments/targets/target-states.ts'
import { SIZE_CHOICES } from '#contract/questions/vocabulary.ts'
import { labelOf } from '#contract/record.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { showDay } from '../assessment-labels.ts'

/** The usual time to answer, in days. */
const DAYS_TO_ANSWER = 30

export const DETAILS_FORM = recordForm(assessmentRecord)
export type DetailsValues = (typeof DETAILS_FORM)['blank']

/** The values of a new assessment: the current year, opening today. */
export function newDetails(today: string): DetailsValues {
  const year = today.slice(0, 4)
  return {
    ...DETAILS_FORM.blank,
    periodStart: `${year}-01-01`,
    periodEnd: `${year}-12-31`,
    opensOn: today,
    dueOn: dayAfter(today, DAYS_TO_ANSWER),
  }
}

/** Chooses a questionnaire with its latest version. The name follows until someone edits it. */
export function chooseQuestionnaire(
  values: DetailsValues,
  chosen: QuestionnaireChoice,
  former: QuestionnaireChoice | undefined,
): Partial<DetailsValues> {
  const isOwnName = values.name !== '' && values.name !== proposeName(former, values.periodEnd)
  return {
    questionnaireId: chosen.id,
    questionnaireNumber: chosen.versions[0]?.number ?? 1,
    edition: '',
    size: '',
    ...(!isOwnName && { name: proposeName(chosen, values.periodEnd) }),
  }
}

/** "Dealer energy 2026". */
function proposeName(questionnaire: QuestionnaireChoice | undefined, periodEnd: string): string {
  return questionnaire === undefined ? '' : `${questionnaire.name} ${periodEnd.slice(0, 4)}`.slice(0, 120)
}

/** A message for each invalid field, with the order of the days, which the server checks too. */
export function checkDetails(values: DetailsValues): Record<string, string> {
  const wrong = DETAILS_FORM.check(values)
  const { periodStart, periodEnd, opensOn, dueOn } = values
  return {
    ...(periodEnd < periodStart && { periodEnd: 'The period ends before it starts.' }),
    ...(dueOn < opensOn && { dueOn: 'The due date is before the opening date.' }),
    ...wrong,
    ...(values.questionnaireId === '' && { questionnaireId: 'Choose a questionnaire.' }),
  }
}

/** A field as text, for the comparison of a stale assessment. */
export function showDetail(name: string, values: DetailsValues): string {
  switch (name) {
    case 'periodStart':
    case 'periodEnd':
    case 'opensOn':
    case 'dueOn':
      return showDay(values[name])
    case 'size':
      return labelOf(SIZE_CHOICES, values.size)
    case 'review':
      return labelOf(REVIEWS, values.review)
    case 'recurrence':
      return labelOf(RECURRENCES, values.recurrence)
    default:
      return showValue({ ...values }[name])
  }
}

/** What one questionnaire asks, as the description of its field. */
export function describeVersion(
  { questionnaireId, questionnaireNumber }: Pick<Assessment, 'questionnaireId' | 'questionnaireNumber'>,
  choices: readonly QuestionnaireChoice[],
): string {
  const version = choices
    .find(({ id }) => id === questionnaireId)
    ?.versions.find(({ number }) => number === questionnaireNumber)
  return version === undefined ? '' : `${version.questions.toLocaleString()} questions.`
}
