// The pages of forms, campaigns, submissions, promo pages, layouts and short URLs.
import { createRoute } from '@tanstack/react-router'
import { can, Func, Opr } from '#contract/permissions.ts'
import { readChoice, readTexts, type Search } from './list-search.ts'
import { documentListPage, listPage, load, page } from './page-route.ts'

/** As routes.tsx puts them into the shell. */
export const marketingPages = [
  createRoute({
    ...documentListPage('/dvp/forms', 'DVP forms', can(Func.dvpForms, Opr.list), ['new']),
    component: load(() => import('./marketing/forms/FormsPage.tsx'), 'FormsPage'),
  }),
  createRoute({
    ...page('/dvp/forms/$id', 'Form', can(Func.dvpForms, Opr.read)),
    validateSearch: (given: Search) => readChoice(given, 'tab', ['settings', 'try', 'versions']),
    component: load(() => import('./marketing/forms/builder/FormPage.tsx'), 'FormPage'),
  }),
  createRoute({
    ...documentListPage('/dvp/campaigns', 'DVP campaigns', can(Func.dvpCampaigns, Opr.list), ['new']),
    component: load(() => import('./marketing/campaigns/CampaignsPage.tsx'), 'CampaignsPage'),
  }),
  createRoute({
    ...page('/dvp/campaigns/$id', 'Campaign', can(Func.dvpCampaigns, Opr.read)),
    validateSearch: (given: Search) =>
      readChoice(given, 'tab', ['funnel', 'email', 'audience', 'schedule', 'recipients', 'checks']),
    component: load(() => import('./marketing/campaigns/CampaignPage.tsx'), 'CampaignPage'),
  }),
  createRoute({
    ...listPage('/dvp/campaigns/recipients', 'Recipients', can(Func.leads, Opr.list), 'recipient'),
    component: load(() => import('./marketing/campaigns/CampaignsPage.tsx'), 'RecipientsPage'),
  }),
  createRoute({
    ...page('/dvp/campaigns/imported-lists', 'Imported lists', can(Func.dvpCampaigns, Opr.list)),
    // `list`: the ID of the open list, or `new`.
    validateSearch: (given: Search) => readTexts(given, ['list']),
    component: load(() => import('./marketing/campaigns/CampaignsPage.tsx'), 'ImportedListsPage'),
  }),
  createRoute({
    ...listPage('/dvp/submissions', 'Submissions', can(Func.submissions, Opr.list), 'submission'),
    component: load(() => import('./marketing/forms/submissions/SubmissionsPage.tsx'), 'SubmissionsPage'),
  }),
  createRoute({
    ...listPage('/administration/short-url', 'Short URLs', can(Func.shortUrls, Opr.list), 'shortUrl'),
    component: load(() => import('./marketing/short-urls/ShortUrlsPage.tsx'), 'ShortUrlsPage'),
  }),
  createRoute({
    ...documentListPage('/administration/promo-pages', 'Promo pages', can(Func.promoPages, Opr.list), [
      'new',
    ]),
    component: load(() => import('./marketing/pages/PagesPage.tsx'), 'PagesPage'),
  }),
  createRoute({
    ...page('/administration/promo-pages/$id', 'Promo page', can(Func.promoPages, Opr.read)),
    validateSearch: (given: Search) => readChoice(given, 'tab', ['settings', 'versions', 'visits']),
    component: load(() => import('./marketing/pages/PromoPagePage.tsx'), 'PromoPagePage'),
  }),
  createRoute({
    ...listPage('/administration/dvp-layouts', 'DVP layouts', can(Func.dvpLayouts, Opr.list), 'layout'),
    component: load(() => import('./marketing/layouts/LayoutsPage.tsx'), 'LayoutsPage'),
  }),
  createRoute({
    ...listPage('/administration/saved-blocks', 'Saved blocks', can(Func.promoPages, Opr.list), 'saved'),
    component: load(() => import('./marketing/saved-blocks/SavedBlocksPage.tsx'), 'SavedBlocksPage'),
  }),
] as const
