import type { Page } from 'playwright-core'
import { signIn } from './steps.ts'

/** The organization in which demo users with several organizations open the pages. */
const HOME: Readonly<Record<string, string>> = {
  'northgate.admin': 'Northgate Ford',
  super: 'Forecourt Operations',
}

/** Null: the user has only one organization. */
export const homeOf = (person: string): string | null => HOME[person] ?? null

/** Signs in the user of a page in the table of pages; null: signed out. */
export async function signInFor(page: Page, person: string | null): Promise<void> {
  if (person !== null) await signIn(page, person, HOME[person])
}
