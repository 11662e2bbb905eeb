import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { stage } from '#e2e/harness/stage.ts'
import { drawer, heading, miss, see, signIn } from '#e2e/harness/steps.ts'
import { now } from '#e2e/harness/world.ts'
import { DONE_JOB } from '#e2e/pages/home/work.ts'

const { page: newPage } = stage()

const jobsLink = (page: Page, name: string | RegExp) => page.getByRole('banner').getByRole('link', { name })

/** Hides a lot with a job, and waits until it is done. */
async function hideLot(page: Page, name: string): Promise<void> {
  await page.goto('/customers/lots')
  await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('group', { name: 'Selected rows' }).getByRole('button', { name: 'Hide' }).click()
  await see(page.getByText('Hide 1 lot from public pages: done'))
}

test('a finished job is listed, and can be undone from the list once', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await hideLot(page, 'Northgate Ford')
  await jobsLink(page, 'Jobs').click()
  await see(heading(page, 'Jobs'), page.getByText('No jobs running.'))
  const row = page
    .getByRole('row')
    .filter({ hasText: 'Hide 1 lot from public pages', hasNotText: 'Undo:' })
    .first()
  await see(row.getByText('Done', { exact: true }), row.getByText('1 done'), row.getByText('Luis Ortega'))
  await row.getByRole('button', { name: /^Undo: / }).click()
  await see(page.getByRole('link', { name: 'Undo: Hide 1 lot from public pages' }).first())
  await miss(row.getByRole('button', { name: /^Undo: / }))
  await page.getByRole('link', { name: 'Undo: Hide 1 lot from public pages' }).first().click()
  await see(drawer(page).getByText('Undoes'))
  await drawer(page).getByRole('link', { name: 'an earlier job' }).click()
  await see(drawer(page).getByRole('heading', { name: 'Hide 1 lot from public pages', exact: true }))
  await expect.poll(() => drawer(page).getByRole('button', { name: 'Undo' }).count()).toBe(0)
})

const RUNNING: Job = {
  ...DONE_JOB,
  state: 'running',
  done: 40,
  failures: 0,
  endedAt: null,
  canUndo: false,
  canCancel: true,
}

test(
  'a running job shows its progress, can be canceled, and is tracked again after a reload',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    let job = RUNNING
    /** Started elsewhere while this page is open. */
    let other: Job | null = null
    await page.route('**/api/jobs/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === jobs.cancel.path) job = { ...job, canCancel: false }
      const results = other ? [other, job] : [job]
      const list = { filteredRows: results.length, totalRows: results.length, results }
      const data = pathname === jobs.list.path ? list : job
      await route.fulfill({
        contentType: 'application/json',
        body: JSON.stringify({ status: true, data, message: null }),
      })
    })
    const main = page.getByRole('main')
    const foot = page.getByRole('region', { name: 'Background tasks' })
    await page.goto('/jobs')
    await see(jobsLink(page, 'Jobs, 1 running'), page.getByText('1 running.'))
    await see(foot.getByText('40 of 86 done'))
    const bar = main.getByRole('progressbar', { name: 'Progress: Set 86 vehicles to Hold' })
    expect(await bar.getAttribute('value')).toBe('40')
    job = { ...job, done: 60 }
    await see(main.getByText('60 of 86 done'), foot.getByText('60 of 86 done'))
    await page.getByRole('button', { name: 'Cancel: Set 86 vehicles to Hold' }).click()
    await miss(page.getByRole('button', { name: 'Cancel: Set 86 vehicles to Hold' }))
    await page.goto('/customers/lots')
    await see(jobsLink(page, 'Jobs, 1 running'), foot.getByText('60 of 86 done'))
    other = { ...RUNNING, id: '8', title: 'Hide 3 lots from public pages' }
    await see(jobsLink(page, 'Jobs, 2 running'))
    job = { ...job, state: 'canceled', endedAt: new Date(now()).toISOString() }
    await see(foot.getByText('Canceled, 60 of 86 done'), jobsLink(page, 'Jobs, 1 running'))
    other = { ...other, state: 'canceled', endedAt: new Date(now()).toISOString() }
    await see(jobsLink(page, 'Jobs, 1 finished'))
    expect(await foot.getByText('Hide 3 lots from public pages').count()).toBe(0)
    await jobsLink(page, 'Jobs, 1 finished').click()
    await see(main.getByText('Canceled, 60 of 86 done'), jobsLink(page, 'Jobs'))
  },
)
