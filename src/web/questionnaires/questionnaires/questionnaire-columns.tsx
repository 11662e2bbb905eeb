import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type {
  QUESTIONNAIRE_LIST,
  QuestionnaireSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { DOCUMENT_WIDTHS, documentCells } from '#web/ui/document/document-columns.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import '#web/ui/list/row-name.css'
import { QuestionnaireMenu } from './QuestionnaireMenu.tsx'
import { QuestionnaireStatus } from './QuestionnaireStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<QuestionnaireSummary, keyof typeof QUESTIONNAIRE_LIST.fields> = {
  name: (questionnaire) => (
    <span className="fc-row-name">
      <span className="fc-grow">
        <QuestionnaireLink questionnaire={questionnaire} />
        <span className="fc-second">{describe(questionnaire)}</span>
      </span>
      <QuestionnaireMenu questionnaire={questionnaire} />
    </span>
  ),
  status: ({ status }) => <QuestionnaireStatus status={status} isPill />,
  publishedNumber: ({ publishedNumber, hasDraft }) => (
    <>
      {publishedNumber === null ? <span className="fc-faint">None</span> : publishedNumber}
      {hasDraft && publishedNumber !== null && (
        <span className="fc-second">Draft of {publishedNumber + 1}</span>
      )}
    </>
  ),
  assessmentCount: ({ assessmentCount }) => (
    <span className={assessmentCount === 0 ? 'fc-number fc-faint' : 'fc-number'}>
      {assessmentCount.toLocaleString()}
    </span>
  ),
  organizationName: ({ organizationName }) =>
    organizationName === null ? (
      <span className="fc-soft">All organizations</span>
    ) : (
      <bdi>{organizationName}</bdi>
    ),
  publishedAt: ({ publishedAt }) => publishedAt !== null && formatDay(publishedAt),
  ...documentCells,
}

export const WIDTHS = {
  ...DOCUMENT_WIDTHS,
  name: 320,
  publishedNumber: 104,
  hasDraft: 112,
  questionCount: 104,
  assessmentCount: 120,
  organizationName: 160,
}

/** A row on a narrow screen. */
export function QuestionnaireBlock({ questionnaire }: { questionnaire: QuestionnaireSummary }) {
  const { assessmentCount, status } = questionnaire
  return (
    <>
      <div className="fc-block-head">
        <QuestionnaireLink questionnaire={questionnaire} />
        <QuestionnaireMenu questionnaire={questionnaire} />
      </div>
      <div className="fc-small fc-faint">{describe(questionnaire)}</div>
      <div className="fc-block-head fc-small">
        <QuestionnaireStatus status={status} />
        <span>
          {assessmentCount === 0 ? 'Not in use' : count(assessmentCount, 'assessment', 'assessments')}
        </span>
      </div>
    </>
  )
}

/** "42 questions in 8 sections, en 100%, es 92%". */
function describe({ sectionCount, questionCount, languages }: QuestionnaireSummary): string {
  const size = `${count(questionCount, 'question', 'questions')} in ${count(sectionCount, 'section', 'sections')}`
  if (languages.length < 2) return size
  const shares = languages.map(
    ({ language, translated, total }) =>
      `${language} ${total === 0 ? 100 : Math.floor((translated / total) * 100)}%`,
  )
  return `${size}, ${shares.join(', ')}`
}

function QuestionnaireLink({ questionnaire: { id, name } }: { questionnaire: QuestionnaireSummary }) {
  return (
    <MayOpen for={questionnaires.get}>
      <Link to="/configure-questionnaire/$id" params={{ id }} className="fc-name">
        <bdi>{name}</bdi>
      </Link>
    </MayOpen>
  )
}
