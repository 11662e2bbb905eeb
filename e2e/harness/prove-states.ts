import { expect, test } from 'vitest'
import { PAGES } from '#e2e/pages/pages.ts'
import { findWrongStates } from './check-states.ts'
import { signInFor } from './people.ts'
import type { Stage } from './stage.ts'

const LOADS = Object.values(PAGES).flatMap(({ person, loads }) =>
  loads.map((load) => ({ person, load, what: load.what })),
)

/** Shows half of the pages in every state of every call they make. */
export function proveStates({ page: newPage, half }: Pick<Stage, 'page'> & { half: 0 | 1 }): void {
  test.for(LOADS.filter((_, at) => at % 2 === half))('$what, in every state', async ({ person, load }) => {
    const page = await newPage()
    await signInFor(page, person)
    expect(await findWrongStates(page, load)).toEqual([])
  })
}
