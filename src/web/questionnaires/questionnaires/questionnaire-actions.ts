import {
  type Questionnaire,
  questionnaires,
  type QuestionnaireSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { send } from '#web/api/query.ts'
import { changeDocument, documentActions, draftActions } from '#web/ui/document/document-actions.ts'

const sendRetire = send(questionnaires.retire)
const sendRestore = send(questionnaires.restore)

/** A questionnaire of the list, or an open one. */
export type Listed = Pick<
  QuestionnaireSummary,
  'id' | 'version' | 'name' | 'status' | 'hasDraft' | 'publishedNumber' | 'assessmentCount' | 'mayEdit'
>

export const { publish: publishQuestionnaire, remove: removeQuestionnaire } = documentActions<Questionnaire>(
  'questionnaire',
  { get: questionnaires.get, publish: send(questionnaires.publish), remove: send(questionnaires.remove) },
)
export const {
  openDraft,
  discardDraft,
  duplicate: duplicateQuestionnaire,
} = draftActions<Questionnaire>('questionnaire', {
  openDraft: send(questionnaires.openDraft),
  discardDraft: send(questionnaires.discardDraft),
  duplicate: send(questionnaires.duplicate),
})

/** Asks, then retires the questionnaire. @returns null if the user canceled or it failed */
export const retireQuestionnaire = ({ id, name }: Listed): Promise<Questionnaire | null> =>
  changeDocument(
    sendRetire,
    { id },
    {
      question: {
        title: `Retire ${name}?`,
        text: "New assessments can't use it any more. Open assessments continue. You can restore it later.",
        confirm: 'Retire',
      },
      says: ['Questionnaire retired', name],
    },
  )

/** Makes a retired questionnaire available again. @returns null after a failure, which is shown */
export const restoreQuestionnaire = ({ id, name }: Listed): Promise<Questionnaire | null> =>
  changeDocument(sendRestore, { id }, { says: ['Questionnaire restored', name] })

/** Why the user can't change the questionnaire, as a sentence; null if they can. */
export const editLock = ({ mayEdit }: Pick<Listed, 'mayEdit'>): string | null =>
  mayEdit
    ? null
    : 'This questionnaire is for all organizations. Only users with access to all of them can change it. Duplicate it to make your own.'

/** Why the questionnaire can't be deleted, as a sentence; null if it can. */
export function removeLock(questionnaire: Listed): string | null {
  if (questionnaire.assessmentCount > 0) return 'Assessments use this questionnaire. Retire it instead.'
  return editLock(questionnaire)
}

/** Why it can't be retired, as a sentence; null if it can. */
export const retireLock = (questionnaire: Listed): string | null =>
  questionnaire.status === 'draft' ? 'This questionnaire was never published.' : editLock(questionnaire)
