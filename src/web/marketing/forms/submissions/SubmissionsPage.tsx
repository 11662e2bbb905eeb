import { IconInbox } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Submission, SUBMISSION_LIST, submissions } from '#contract/marketing/forms/submissions.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, SubmissionBlock, WIDTHS } from './submission-columns.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/dvp/submissions')

const SubmissionDrawer = lazy(async () => ({
  default: (await import('./SubmissionDrawer.tsx')).SubmissionDrawer,
}))

/** What visitors sent, newest first; one opens in a drawer with its own URL. */
export function SubmissionsPage() {
  const search = route.useSearch()
  const { onShow, close } = useListRoute('submission')
  return (
    <>
      <ListPage
        list={SUBMISSION_LIST}
        endpoint={submissions.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.senderName ?? row.formName}
        selectedId={search.submission}
        searches="Name, email, phone, vehicle, comments"
        isLive
        empty={
          <EmptyState
            tone="brand"
            icon={<IconInbox size={18} />}
            title="No submissions yet"
            text="What visitors send with your forms appears here within seconds."
          >
            <Link to="/dvp/forms" className="fc-link">
              Go to DVP forms
            </Link>
          </EmptyState>
        }
      />
      {search.submission !== undefined && (
        <Suspense>
          <SubmissionDrawer key={search.submission} id={search.submission} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(submission: Submission) {
  return <SubmissionBlock submission={submission} />
}
