import type { BrowserContext } from 'playwright-core'
import type { Stage } from './stage.ts'
import { giveCredentials, heading, see } from './steps.ts'

type StoredState = Awaited<ReturnType<BrowserContext['storageState']>>

/**
 * Signs each person in once and answers their stored session afterwards. Of several organizations the first of the
 * list is taken; whoever is asked for a second factor stays before it.
 */
export function signedIn({
  visitor,
  product,
}: Pick<Stage, 'visitor' | 'product'>): (person: string) => Promise<StoredState> {
  const known = new Map<string, StoredState>()
  return async (person) => {
    // A session is of one installation.
    const key = `${product().home} ${person}`
    const found = known.get(key)
    if (found) return found
    const context = await visitor()
    const page = await context.newPage()
    await page.goto('/auth/signin')
    await giveCredentials(page, person)
    await page.waitForURL(/\/(dashboard|auth\/organization|auth\/verify-login)$/)
    if (page.url().endsWith('/auth/organization')) {
      await page.getByRole('main').getByRole('listitem').getByRole('button').first().click()
      await page.waitForURL('**/dashboard')
    }
    const isWaiting = page.url().endsWith('/auth/verify-login')
    await see(heading(page, isWaiting ? 'Verify Login' : /^Good /))
    const state = await context.storageState()
    known.set(key, state)
    await context.close()
    return state
  }
}
