import { IconClipboardList, IconPlus, IconUpload } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { questionnaireFiles } from '#contract/questionnaires/import/questionnaire-files.ts'
import {
  QUESTIONNAIRE_LIST,
  questionnaires,
  type QuestionnaireSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, QuestionnaireBlock, WIDTHS } from './questionnaire-columns.tsx'
import './questionnaires.css'

const route = getRouteApi('/shell/configure-questionnaire')

const ImportDrawer = lazy(async () => ({
  default: (await import('../import/ImportDrawer.tsx')).ImportDrawer,
}))
const NewQuestionnaireDrawer = lazy(async () => ({
  default: (await import('./NewQuestionnaireDrawer.tsx')).NewQuestionnaireDrawer,
}))

/** The questionnaires of the customer. One opens on its own page. */
export function QuestionnairesPage() {
  const search = route.useSearch()
  const { onShow, open, close } = useListRoute('drawer')
  const add = (
    <Action
      for={questionnaires.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      New questionnaire
    </Action>
  )
  return (
    <>
      <ListPage
        list={QUESTIONNAIRE_LIST}
        endpoint={questionnaires.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searches="Name, key"
        actions={
          <>
            <Action
              for={questionnaireFiles.read}
              variant="default"
              onClick={() => open('import')}
              leftSection={<IconUpload size={16} aria-hidden="true" />}
            >
              Import
            </Action>
            {add}
          </>
        }
        empty={
          <EmptyState
            tone="brand"
            icon={<IconClipboardList size={18} />}
            title="No questionnaires yet"
            text="Start from a template, such as the dealer site check, or write your own questions. Assessments then send them to your organizations and facilities."
          >
            {add}
          </EmptyState>
        }
      />
      <Suspense>
        {search.drawer === 'new' && <NewQuestionnaireDrawer onClose={close} />}
        {search.drawer === 'import' && <ImportDrawer onClose={close} />}
      </Suspense>
    </>
  )
}

function showBlock(questionnaire: QuestionnaireSummary) {
  return <QuestionnaireBlock questionnaire={questionnaire} />
}
