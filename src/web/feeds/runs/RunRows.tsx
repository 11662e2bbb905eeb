import { Button, ActionIcon } from '@mantine/core'
import { IconCircleCheck, IconSearch, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { call } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { SearchField } from '#web/ui/list/SearchField.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { AllPriceQuestions } from './PriceQuestion.tsx'
import { RunRow } from './RunRow.tsx'
import { viewsOf } from './row-views.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/inventory/feeds/$id')
const PAGE_SIZE = 50

/** The rows of a run in tabs by outcome. The search and the page are in the URL. */
export function RunRows({ run }: { run: FeedRun }) {
  const { rows: viewKey, search = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { pathname } = useLocation()
  const views = viewsOf(run)
  const view = views.find(({ key }) => key === viewKey) ?? views.find(({ total }) => total > 0) ?? views[0]
  const { title: _title, key: _key, total: _total, ...which } = view
  const input = { runId: run.id, ...which, search, page, pageSize: PAGE_SIZE }
  const { data, error, isPlaceholderData, refetch } = useQuery({
    // The rows change with every status of the run.
    queryKey: [...keyOf(feedRuns.rows), input, run.status, run.version],
    queryFn: ({ signal }) => call(feedRuns.rows, input, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <nav className="fc-tabs" aria-label="Rows of this feed">
        {views.map((one) => (
          <Link
            key={one.key}
            to={pathname}
            search={{ rows: one.key }}
            {...(one.key === view.key && { 'aria-current': 'page' as const })}
          >
            {one.title}
            <span className="fc-small fc-faint fc-number">{one.total.toLocaleString()}</span>
          </Link>
        ))}
      </nav>
      <div className="fc-toolbar">
        <SearchField
          key={view.key}
          label="Search rows"
          placeholder="VIN, stock number, name"
          value={search}
          onSearch={(text) =>
            void navigate({
              search: (before) => ({ ...before, search: text || undefined, page: undefined }),
              replace: true,
            })
          }
        />
        {view.key === 'prices' && <AllPriceQuestions run={run} />}
      </div>
      <Loaded
        query={{ endpoint: feedRuns.rows, data, error, retry: () => void refetch() }}
        what="the rows of this feed"
        shape="spinner"
        label="Loading rows"
      >
        {({ results, filteredRows }) => (
          <>
            {results.length === 0 && <NoRows search={search} title={view.title} />}
            {results.length > 0 && (
              <ul
                className="fc-feed-rows"
                aria-label={view.title}
                data-stale={isPlaceholderData || undefined}
              >
                {results.map((row) => (
                  <RunRow key={row.id} row={row} run={run} />
                ))}
              </ul>
            )}
            <RowPages
              page={page}
              size={PAGE_SIZE}
              filtered={filteredRows}
              onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function NoRows({ search, title }: { search: string; title: string }) {
  const navigate = route.useNavigate()
  if (search !== '') {
    return (
      <EmptyState
        icon={<IconSearch size={18} />}
        title={`No rows match \u201c${search}\u201d`}
        text="Search by VIN, stock number or name."
      >
        <Button
          variant="default"
          onClick={() =>
            void navigate({ search: (before) => ({ ...before, search: undefined, page: undefined }) })
          }
        >
          Clear search
        </Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<IconCircleCheck size={18} />}
      title="No rows"
      text={`This feed has no rows under ${title}.`}
    />
  )
}

type Props = { page: number; size: number; filtered: number; onPage: (page: number) => void }

/** The visible range with buttons for other pages; nothing if all rows fit on one page. */
function RowPages({ page, size, filtered, onPage }: Props) {
  if (filtered <= size && page === 1) return null
  const last = Math.min(page * size, filtered)
  return (
    <div className="fc-list-footer">
      <span className="fc-grow fc-number">
        <bdi>
          {Math.min((page - 1) * size + 1, filtered).toLocaleString()} to {last.toLocaleString()} of{' '}
          <b>{filtered.toLocaleString()}</b> rows
        </bdi>
      </span>
      <span className="fc-row">
        <ActionIcon aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <IconChevronLeft size={16} className="fc-flip" />
        </ActionIcon>
        <ActionIcon aria-label="Next page" disabled={last >= filtered} onClick={() => onPage(page + 1)}>
          <IconChevronRight size={16} className="fc-flip" />
        </ActionIcon>
      </span>
    </div>
  )
}
