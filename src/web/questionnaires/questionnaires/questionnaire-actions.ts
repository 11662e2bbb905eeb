import {
  type Questionnaire,
  questionnaires,
  type QuestionnaireSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'

const sendPublish = send(questionnaires.publish)
const sendRetire = send(questionnaires.retire)
const sendRestore = send(questionnaires.restore)
const sendRemove = send(questionnaires.remove)
const sendDuplicate = send(questionnaires.duplicate)
const sendOpenDraft = send(questionnaires.openDraft)
const sendDiscardDraft = send(questionnaires.discardDraft)

/** A questionnaire of the list, or an open one. */
export type Listed = Pick<
  QuestionnaireSummary,
  'id' | 'version' | 'name' | 'status' | 'hasDraft' | 'publishedNumber' | 'assessmentCount' | 'mayEdit'
>

/** Publishes the saved draft. @returns the questionnaire, or null after a failure, which is shown */
export async function publishQuestionnaire({ id, version, name }: Listed): Promise<Questionnaire | null> {
  const published = await shown(sendPublish({ id, version }))
  if (published !== null) toast('Questionnaire published', `${name}, version ${published.publishedNumber}`)
  return published
}

/** Opens a draft of the next version. @returns null after a failure, which is shown */
export const openDraft = ({ id }: Listed): Promise<Questionnaire | null> => shown(sendOpenDraft({ id }))

/** Asks, then returns to the published version. @returns null if the user canceled or it failed */
export async function discardDraft({ id, version, name, publishedNumber }: Listed) {
  const isSure = await ask({
    title: 'Discard this draft?',
    text: `All changes since version ${publishedNumber} will be lost. This can't be undone.`,
    confirm: 'Discard draft',
    isDestructive: true,
  })
  const discarded = isSure ? await shown(sendDiscardDraft({ id, version })) : null
  if (discarded !== null) toast('Draft discarded', name)
  return discarded
}

/** Asks, then retires the questionnaire. @returns null if the user canceled or it failed */
export async function retireQuestionnaire({ id, name }: Listed): Promise<Questionnaire | null> {
  const isSure = await ask({
    title: `Retire ${name}?`,
    text: "New assessments can't use it any more. Open assessments continue. You can restore it later.",
    confirm: 'Retire',
  })
  const retired = isSure ? await shown(sendRetire({ id })) : null
  if (retired !== null) toast('Questionnaire retired', name)
  return retired
}

/** Makes a retired questionnaire available again. @returns null after a failure, which is shown */
export async function restoreQuestionnaire({ id, name }: Listed): Promise<Questionnaire | null> {
  const restored = await shown(sendRestore({ id }))
  if (restored !== null) toast('Questionnaire restored', name)
  return restored
}

/** Adds a copy as a draft. @returns the copy, or null after a failure, which is shown */
export async function duplicateQuestionnaire({ id }: Listed): Promise<Questionnaire | null> {
  const copy = await shown(sendDuplicate({ id }))
  if (copy !== null) toast('Questionnaire duplicated', copy.name)
  return copy
}

/** Asks, then deletes the questionnaire. @returns whether it is deleted */
export async function removeQuestionnaire({ id, name }: Listed): Promise<boolean> {
  const isSure = await ask({
    title: `Delete ${name}?`,
    text: "The questionnaire and its versions will be deleted. This can't be undone.",
    confirm: 'Delete questionnaire',
    isDestructive: true,
  })
  if (!isSure) return false
  const isRemoved = await shown(sendRemove({ id }).then(() => true))
  if (isRemoved === true) toast('Questionnaire deleted', name)
  return isRemoved === true
}

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

async function shown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    const [detail] = Object.values(failure.fields)
    if (detail !== undefined && failure.status === 400) {
      const { kind, status, requestId } = failure
      showError(new CallFailure({ kind, status, requestId, message: detail }))
    } else showError(failure)
    return null
  }
}
