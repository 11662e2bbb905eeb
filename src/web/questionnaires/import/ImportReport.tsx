import { checkQuestionnaire } from '#contract/questionnaires/questionnaires/check-questionnaire.ts'
import type { QuestionnaireImport } from '#contract/questionnaires/import/questionnaire-files.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { groupNotes } from '../questionnaires/group-notes.ts'

const KINDS = {
  forecourt: 'An exported questionnaire',
  surveyjs: 'A SurveyJS survey',
  xlsform: 'An XLSForm',
} as const

/** What a file becomes, and everything that is left out. */
export function ImportReport({ read: { kind, draft, scoring, notes } }: { read: QuestionnaireImport }) {
  const questions = draft.sections.reduce((sum, section) => sum + section.questions.length, 0)
  const errors = checkQuestionnaire({ draft, scoring }).faults.filter(
    ({ severity }) => severity === 'error',
  ).length
  const groups = groupNotes(notes)
  return (
    <section className="fc-wide fc-import-report" aria-label="Import preview">
      <h3 className="fc-import-heading">
        {KINDS[kind]}: {count(questions, 'question', 'questions')} in{' '}
        {count(draft.sections.length, 'section', 'sections')}
      </h3>
      {errors > 0 && (
        <p className="fc-small">{count(errors, 'problem', 'problems')} to fix before publishing.</p>
      )}
      {groups.length === 0 && <p className="fc-small fc-soft">Everything was imported.</p>}
      {groups.length > 0 && (
        <>
          <p className="fc-small">Not imported, or changed:</p>
          <ul>
            {groups.map(({ message, places }) => (
              <li key={message} className="fc-small">
                <bdi>{message}</bdi>{' '}
                <span className="fc-faint">
                  <bdi>{places.join('; ')}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
