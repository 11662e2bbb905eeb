import {
  type Questionnaire,
  questionnaireRecord,
  questionnaires,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { call } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import type { Content } from '#web/questions/builder/content-changes.ts'
import { mergeContent } from '#web/questions/builder/merge-content.ts'
import type { DocumentSaver, SavedView } from '#web/ui/document/document-saver.ts'
import type { Versions, Winner } from '#web/ui/record/merge-changes.ts'
import { useDraft } from '#web/ui/document/use-draft.ts'

/** What is saved automatically: the questions and their scoring. */
export type DraftContent = Pick<Questionnaire, 'draft' | 'scoring'>
export type DraftSaver = DocumentSaver<Questionnaire, DraftContent>
export type DraftView = SavedView<Questionnaire, DraftContent>

/** What the builder edits of it. */
export const toContent = ({ draft, scoring }: DraftContent): Content => ({ draft, scoring, named: {} })

function mergeDrafts({ base, mine, theirs }: Versions<DraftContent>, winner?: Winner): DraftContent {
  const versions = { base: toContent(base), mine: toContent(mine), theirs: toContent(theirs) }
  const { draft, scoring } = mergeContent(versions, winner)
  return { draft, scoring }
}

/** Keeps the saved questionnaire for the next visit, and reads the list again when it is shown. */
export function setQuestionnaireInCache(saved: Questionnaire): void {
  queryClient.setQueryData([...keyOf(questionnaires.get), { id: saved.id }], saved)
  void queryClient.invalidateQueries({ queryKey: keyOf(questionnaires.list) })
}

/** The draft of a loaded questionnaire, saved while it is edited. */
export const useQuestionnaireDraft = (loaded: Questionnaire) =>
  useDraft<Questionnaire, DraftContent>(loaded, questionnaires.update, {
    contentOf: ({ draft, scoring }) => ({ draft, scoring }),
    save: ({ draft, scoring }, version) =>
      call(questionnaires.update, { id: loaded.id, version, draft, scoring }),
    merge: mergeDrafts,
    readCurrent: ({ current }) => questionnaireRecord.schema.safeParse(current).data ?? null,
    onSaved: setQuestionnaireInCache,
  })
