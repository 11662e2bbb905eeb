import type { Page } from 'playwright-core'
import { signIn } from './steps.ts'

/** Where a demo person who has several organizations acts while the pages of the product are checked. */
const HOME: Readonly<Record<string, string>> = {
  'northgate.admin': 'Northgate Ford',
  super: 'Forecourt Operations',
}

/** Signs in whoever opens a page in the table of pages; null: nobody. */
export async function signInFor(page: Page, person: string | null): Promise<void> {
  if (person !== null) await signIn(page, person, HOME[person])
}
