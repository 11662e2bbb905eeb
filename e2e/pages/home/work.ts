import type { Page } from 'playwright-core'
import { health } from '#contract/home/health.ts'
import { outgoing, type OutgoingWork } from '#contract/home/outgoing.ts'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { reports } from '#contract/reports/reports.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())

/** A vehicle of the demo world, the same at every start but for its year. */
export const PICKUP = {
  stock: 'FN10063',
  name: /^20\d\d Ford F-150$/,
  title: /^20\d\d Ford F-150/,
  list: '/inventory/vehicle-data?search=FN10063',
} as const

const meant = { stock: 'A100', vin: null, status: 'live' as const, photoCount: 3 }
const MEANT = {
  vehicles: [
    { ...meant, id: '1', name: '2024 Ford F-150 XLT', lotName: 'Northgate Ford' },
    { ...meant, id: '2', name: '2021 Ford Escape', lotName: 'Northgate Pre-Owned' },
  ],
  matches: [
    { name: 'A100_1.jpg', vehicleIds: ['1', '2'] },
    { name: 'B200_1.jpg', vehicleIds: ['1'] },
    { name: 'Party.jpg', vehicleIds: [] },
  ],
}

/** One name that means two vehicles, one that means one, one that means none. */
async function uploadPhotos(page: Page): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await drawer(page).getByRole('button', { name: 'Choose photos' }).click()
  const file = { mimeType: 'image/jpeg', buffer: Buffer.from('any') }
  await (await choosing).setFiles(MEANT.matches.map(({ name }) => ({ name, ...file })))
  await see(
    drawer(page).getByText('1 name matches several vehicles'),
    button(page, 'Add 1 photo to 1 vehicle'),
  )
}

/** The values of the fields with their counts: beside the rows, on a phone in a drawer. */
async function openFacets(page: Page): Promise<void> {
  const live = page.getByRole('checkbox', { name: /^For sale \d+$/ })
  const facets = page.getByRole('button', { name: 'Quick filters', exact: true })
  await see(page.getByText(/ of [\d,]+ vehicles$/).first())
  // Beside the rows they stay for the next visit.
  if ((await facets.getAttribute('aria-expanded')) === 'false') await facets.click()
  await see(live)
}

/** Enters a complete VIN, which fills in what it decodes to. */
async function enterVin(page: Page): Promise<void> {
  const vin = drawer(page).getByLabel('VIN', { exact: true })
  await vin.fill('1FMCU9GD0JUA12345')
  await see(
    drawer(page)
      .getByText(/^Filled in/)
      .first(),
    vin.and(page.locator('[value="1FMCU9GD0JUA12345"]')),
  )
}

/** Chooses the first row of a list; on a phone choosing has to be begun. */
async function chooseFirst(page: Page): Promise<void> {
  await see(page.getByText(/ of [\d,]+ vehicles$/).first())
  const begin = button(page, 'Select')
  if (await begin.isVisible()) await begin.click()
  await page
    .getByRole('checkbox', { name: /^Select \d/ })
    .first()
    .check()
  await see(page.getByRole('group', { name: 'Selected rows' }))
}

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 9, minutes)).toISOString()

export const DONE_JOB: Job = {
  id: '7',
  kind: 'vehicles.change',
  title: 'Set 86 vehicles to Hold',
  state: 'done',
  total: 86,
  done: 86,
  failures: 2,
  error: null,
  file: null,
  canCancel: false,
  canUndo: true,
  undoes: null,
  isMine: true,
  startedBy: 'Dana Whitfield',
  createdAt: at(0),
  startedAt: at(0),
  endedAt: at(1),
}

const JOBS: Job[] = [
  {
    ...DONE_JOB,
    id: '9',
    title: 'Move 1,200 vehicles to Fulton overflow',
    startedBy: 'Luis Ortega',
    isMine: false,
    state: 'running',
    total: 1200,
    done: 500,
    failures: 0,
    canUndo: false,
    canCancel: true,
    endedAt: null,
  },
  {
    ...DONE_JOB,
    id: '8',
    kind: 'export',
    title: 'Export 12,000 vehicles',
    total: 12_000,
    done: 12_000,
    failures: 0,
    canUndo: false,
    file: { name: 'vehicles-2026-11-21.csv', bytes: 2_400_000, expiresAt: at(59) },
  },
  DONE_JOB,
  {
    ...DONE_JOB,
    id: '6',
    title: 'Delete 3 lots',
    state: 'failed',
    total: 3,
    done: 0,
    failures: 0,
    canUndo: false,
    error: 'It failed 5 times in a row.',
  },
  {
    ...DONE_JOB,
    id: '5',
    title: 'Show 4 lots on public pages',
    state: 'canceled',
    total: 4,
    done: 2,
    failures: 0,
  },
]

const FAILURES = [
  { rowId: '1', title: '2026 Ford F-150 XLT', reason: 'Luis Ortega changed it since.' },
  { rowId: '2', title: '2027 Ford Explorer Active', reason: 'Luis Ortega changed it since.' },
]

const ALL_JOBS = { endpoint: jobs.list, data: { filteredRows: 5, totalRows: 5, results: JOBS } }

/** The real response has measured times and the free space of the machine, which would make each screenshot different. */
const HEALTHY = {
  checkedAt: '2026-11-18T15:40:00.000Z',
  checks: [
    {
      name: 'database',
      state: 'ok',
      since: '2026-11-18T08:00:00.000Z',
      sentence: 'The built-in PostgreSQL responded in 2 ms.',
    },
    {
      name: 'mail',
      state: 'off',
      since: null,
      sentence: 'No mail server is set up. Emails stay in the outbox.',
    },
    {
      name: 'links',
      state: 'ok',
      since: '2026-11-18T08:00:00.000Z',
      sentence: 'Links in emails lead to https://office.example.com or a domain of the customer.',
    },
    {
      name: 'storage',
      state: 'ok',
      since: '2026-11-18T08:00:00.000Z',
      sentence: 'File storage has 23.4 GB of free space.',
    },
    { name: 'jobs', state: 'ok', since: '2026-11-18T08:00:00.000Z', sentence: 'No job is late.' },
    {
      name: 'server',
      state: 'ok',
      since: '2026-11-18T08:00:00.000Z',
      sentence: 'Requests are handled without delay.',
    },
    {
      name: 'outgoing',
      state: 'ok',
      since: '2026-11-18T08:00:00.000Z',
      sentence: 'Emails, webhooks, channel files and feeds are sent and fetched.',
    },
  ],
  jobs: { waiting: 0, running: 0, failed: 0 },
  mails: { waiting: 0, failed: 0 },
}

/** Failures that are hard to produce for a screenshot. */
const UNHEALTHY = {
  checkedAt: '2026-11-21T15:40:00.000Z',
  checks: [
    {
      name: 'database',
      state: 'ok',
      since: '2026-11-21T08:00:00.000Z',
      sentence: 'The built-in PostgreSQL responded in 2 ms.',
    },
    {
      name: 'mail',
      state: 'failed',
      since: '2026-11-21T14:02:00.000Z',
      sentence: 'Some of your queued emails could not be sent.',
    },
    {
      name: 'links',
      state: 'failed',
      since: '2026-11-21T08:00:00.000Z',
      sentence:
        'Links in emails lead to http://127.0.0.1:8080. Ask the operator of this installation to set the address that people use.',
    },
    {
      name: 'storage',
      state: 'scarce',
      since: '2026-11-21T14:40:00.000Z',
      sentence: 'File storage has 1.2 GB of free space.',
    },
    {
      name: 'jobs',
      state: 'late',
      since: '2026-11-21T15:12:00.000Z',
      sentence: 'Jobs are delayed. The oldest has been queued since this time.',
    },
  ],
  jobs: { waiting: 12, running: 1, failed: 3 },
  mails: { waiting: 41, failed: 2 },
}

/** A restored copy, as platform staff see it. */
const COPY = {
  ...HEALTHY,
  checks: [
    ...HEALTHY.checks.filter(({ name }) => name !== 'mail'),
    ...(['mail', 'outgoing'] as const).map((name) => ({
      name,
      state: 'waits',
      since: '2026-11-18T15:00:00.000Z',
      sentence: RESTORED_COPY,
    })),
  ],
}
const WAITING: OutgoingWork = {
  restoredAt: '2026-11-18T15:00:00.000Z',
  waiting: [
    ['leads', 12, 9, '2026-11-17T23:12:00.000Z', '2026-11-18T16:10:00.000Z'] as const,
    ['emails', 31, 28, '2026-11-17T22:58:00.000Z', null] as const,
    ['reminders', 4, 0, '2026-11-18T15:27:00.000Z', null] as const,
    ['channels', 2, 2, '2026-11-18T06:00:00.000Z', '2026-11-18T18:00:00.000Z'] as const,
    ['feeds', 0, 0, null, '2026-11-19T05:30:00.000Z'] as const,
  ].map(([kind, due, discardable, oldestAt, nextAt]) => ({ kind, due, discardable, oldestAt, nextAt })),
}

/** Vehicles, jobs and reports. */
export const WORK_PAGES = {
  '/inventory/vehicle-data': {
    person: ADMIN,
    views: {
      vehicles: { url: '/inventory/vehicle-data', whole: text(/ of [\d,]+ vehicles$/) },
      'vehicles-held': {
        url: `/inventory/vehicle-data?filter=${encodeURIComponent('status == "hold"')}`,
        whole: text('Open recall'),
      },
      'vehicles-facets': { url: '/inventory/vehicle-data', whole: openFacets },
      'vehicles-chosen': { url: '/inventory/vehicle-data', whole: chooseFirst },
      'vehicles-photos': {
        url: '/inventory/vehicle-data?panel=photos',
        given: [{ endpoint: vehiclePhotos.match, data: MEANT }],
        whole: uploadPhotos,
      },
      'vehicles-published': {
        url: `/inventory/vehicle-data?filter=${encodeURIComponent('published == "not-published"')}`,
        whole: async (page) => {
          await openFacets(page)
          await see(page.getByRole('checkbox', { name: /^Not published [\d,]+$/ }))
        },
      },
      'vehicle-vin': { url: '/inventory/vehicle-data?vehicle=new', whole: enterVin },
      'vehicle-new': {
        url: '/inventory/vehicle-data?vehicle=new',
        whole: (page) => see(drawer(page).getByLabel('CPO program')),
      },
    },
    loads: [
      {
        url: '/inventory/vehicle-data',
        endpoint: vehicles.list,
        what: 'the list of vehicles',
        loading: 'Loading vehicles',
        more: {
          empty: { answer: rows(0, 0), says: ['No vehicles yet', /^Vehicles from your inventory feeds/] },
          'empty when filtered': {
            url: '/inventory/vehicle-data?search=zebra',
            answer: rows(0, 620),
            says: ['No vehicles match “zebra”', '620 vehicles in total.', 'Clear search'],
          },
        },
      },
    ],
  },
  '/jobs': {
    person: ADMIN,
    views: {
      jobs: { url: '/jobs', given: [ALL_JOBS], whole: text('Move 1,200 vehicles to Fulton overflow') },
      'jobs-none': { url: '/jobs', whole: text('No jobs yet') },
      job: {
        url: '/jobs?job=7',
        given: [
          ALL_JOBS,
          { endpoint: jobs.get, data: DONE_JOB },
          { endpoint: jobs.failures, data: FAILURES },
        ],
        whole: (page) => see(drawer(page).getByRole('link', { name: '2026 Ford F-150 XLT' })),
      },
    },
    loads: [
      {
        url: '/jobs',
        endpoint: jobs.list,
        what: 'the list of jobs',
        loading: 'Loading jobs',
        more: {
          'empty when filtered': {
            url: '/jobs?search=zebra',
            answer: rows(0, 5),
            says: ['No jobs match “zebra”', '5 jobs in total.'],
          },
        },
      },
      { url: '/jobs?job=1', endpoint: jobs.get, what: 'this job', loading: 'Loading the job' },
    ],
  },
  '/administration/reports': {
    person: ADMIN,
    views: { reports: { url: '/administration/reports', whole: text('User access review') } },
    loads: [
      {
        url: '/administration/reports',
        endpoint: reports.list,
        what: 'the reports',
        loading: 'Loading reports',
        more: { empty: { answer: { status: 200, data: [] }, says: ['No reports'] } },
      },
    ],
  },
  '/administration/health': {
    person: 'super',
    views: {
      health: {
        url: '/administration/health',
        given: [{ endpoint: health.system, data: HEALTHY }],
        whole: text('Jobs failed (7 days)'),
      },
      'health-failing': {
        url: '/administration/health',
        given: [{ endpoint: health.system, data: UNHEALTHY }],
        whole: text('4 components need attention.'),
      },
      'health-copy': {
        url: '/administration/health',
        given: [
          { endpoint: health.system, data: COPY },
          { endpoint: outgoing.get, data: WAITING },
        ],
        whole: text('Declare this the real installation'),
      },
    },
    loads: [
      {
        url: '/administration/health',
        endpoint: health.system,
        what: 'system health',
        loading: 'Loading health',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
