import { expect, test } from 'vitest'
import { VIEWS } from '#e2e/pages/pages.ts'
import { findProblemsInEveryVariant } from './check-views.ts'
import { show } from './page-case.ts'
import { signInFor } from './people.ts'
import type { Stage } from './stage.ts'

/** Number of views per test: enough to reuse what the browser has loaded, few enough to find failures. */
const AT_ONCE = 6

const GROUPS = [...Map.groupBy(VIEWS, ({ person }) => person)].flatMap(([person, views]) =>
  Array.from({ length: Math.ceil(views.length / AT_ONCE) }, (_, at) => {
    const some = views.slice(at * AT_ONCE, (at + 1) * AT_ONCE)
    return { person, views: some, names: some.map(({ name }) => name).join(', ') }
  }),
)

/** Checks half of the views in every variant. Declares one test for a group of views. */
export function proveViews({ page: newPage, half }: Pick<Stage, 'page'> & { half: 0 | 1 }): void {
  test.for(GROUPS.filter((_, at) => at % 2 === half))('$person: $names', async ({ person, views }) => {
    const page = await newPage()
    await signInFor(page, person)
    const problems: string[] = []
    for (const { name, ...view } of views) {
      await show(page, view)
      const found = await findProblemsInEveryVariant(page)
      problems.push(...found.map((problem) => `${name} ${problem}`))
    }
    expect(problems).toEqual([])
  })
}
