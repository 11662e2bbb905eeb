import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { can, Func, Opr } from '#contract/permissions.ts'
import { shell } from './auth-routes.tsx'
import { ROW_VIEWS } from './inventory/feeds/runs/row-views.ts'
import { type ListSearch, readChoice, readListSearch, readTexts } from './list-search.ts'

const feeds = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/feeds',
  staticData: { title: 'Feeds', needs: can(Func.vehicles, Opr.list) },
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./inventory/feeds/runs/FeedsPage.tsx'), 'FeedsPage'),
})

/** `rows`: which rows of the run are shown. */
type FeedRunSearch = {
  rows?: (typeof ROW_VIEWS)[number]
  page?: number | undefined
  search?: string | undefined
}

/** One feed that was brought. */
const feedRun = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/feeds/$id',
  staticData: { title: 'Feed', needs: can(Func.vehicles, Opr.read) },
  validateSearch: (given: Record<string, unknown>): FeedRunSearch => {
    const { page, search } = readListSearch(given)
    return {
      ...readChoice(given, 'rows', ROW_VIEWS),
      ...(page !== undefined && { page }),
      ...(search !== undefined && { search }),
    }
  },
  component: lazyRouteComponent(() => import('./inventory/feeds/runs/FeedRunPage.tsx'), 'FeedRunPage'),
})

/** `source`: the open drawer, a source's number or `new`; `part`: what of it. */
type FeedSourcesSearch = ListSearch & { source?: string | undefined; part?: 'arrivals' | undefined }

const feedSources = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/feeds/sources',
  staticData: { title: 'Feed sources', needs: can(Func.vehicles, Opr.list) },
  validateSearch: (search: Record<string, unknown>): FeedSourcesSearch => ({
    ...readListSearch(search),
    ...readTexts(search, ['source']),
    ...readChoice(search, 'part', ['arrivals'] as const),
  }),
  component: lazyRouteComponent(() => import('./inventory/feeds/sources/SourcesPage.tsx'), 'SourcesPage'),
})

/** What feeds bring and where they come from. */
export const feedRoutes = [feeds, feedRun, feedSources] as const
