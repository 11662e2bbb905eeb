import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PAGES } from '#e2e/pages/pages.ts'
import { findProblems } from './check-views.ts'
import { type Address, follow, type PageCase, show } from './page-case.ts'
import { signInFor } from './people.ts'
import type { Stage } from './stage.ts'

/** Number of pages per test: enough to reuse what the browser has loaded. */
const AT_ONCE = 9

const FIRST_VIEWS = Object.values(PAGES).flatMap(({ person, views }) =>
  Object.entries(views)
    .slice(0, 1)
    .map(([name, view]) => ({ name, person, view })),
)
const GROUPS = [...Map.groupBy(FIRST_VIEWS, ({ person }) => person)].flatMap(([person, views]) =>
  Array.from({ length: Math.ceil(views.length / AT_ONCE) }, (_, at) => {
    const some = views.slice(at * AT_ONCE, (at + 1) * AT_ONCE)
    return { person, views: some, names: some.map(({ name }) => name).join(', ') }
  }),
)

/** Checks half of the pages in their usual state: axe in light colors, and no horizontal overflow at 320 px. */
export function checkPages({ page: newPage, half }: Pick<Stage, 'page'> & { half: 0 | 1 }): void {
  test.for(GROUPS.filter((_, at) => at % 2 === half))('$person: $names', async ({ person, views }) => {
    const page = await newPage()
    await signInFor(page, person)
    const problems: string[] = []
    for (const [at, { name, view }] of views.entries()) {
      // Navigates inside the product, like a link; only the first page is loaded.
      if (at === 0 || person === null || view.given) await show(page, view)
      else await showWithin(page, view)
      const found = await findProblems(page)
      problems.push(...found.map((problem) => `${name} ${problem}`))
    }
    expect(problems).toEqual([])
  })
}

type View = PageCase['views'][string]

async function showWithin(page: Page, { url, whole }: View): Promise<void> {
  await page.unrouteAll()
  if (typeof url === 'string') await follow(page, url)
  else {
    await follow(page, url.list)
    await follow(page, await resolveWithin(page, url))
  }
  await whole(page)
}

async function resolveWithin(page: Page, { link, add = '' }: Exclude<Address, string>) {
  const found = page.getByRole('main').getByRole('link', { name: link, exact: true })
  await found.waitFor()
  return `${(await found.getAttribute('href')) ?? ''}${add}`
}
