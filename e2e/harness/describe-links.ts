import { expect, test } from 'vitest'
import { crawlLinks } from '#e2e/harness/crawl-links.ts'
import { stage } from '#e2e/harness/stage.ts'
import { signInAgain } from '#e2e/harness/steps.ts'

/** Promise P11: no link, menu entry or result of the palette ends in a refusal, for these users and their organizations. */
export function describeLinks(
  users: readonly (readonly [userName: string, organization: string | null])[],
): void {
  const { page: newPage, product } = stage()
  test.each(users)('no link shown to %s is a dead end', async (userName, organization) => {
    const page = await newPage()
    await signInAgain(page, product(), userName, organization)
    const { opened, deadEnds } = await crawlLinks(page)
    console.log(`figure: pages opened as ${userName} = ${opened}`)
    expect(deadEnds).toEqual([])
    expect(opened).toBeGreaterThan(50)
  })
}
