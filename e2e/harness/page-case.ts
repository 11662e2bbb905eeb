import type { Page } from 'playwright-core'
import type { Endpoint } from '#contract/endpoint.ts'
import type { createAppRouter } from '#web/routes.tsx'

/** The address of every page of the product, from the map of routes. */
export type PagePath = keyof ReturnType<typeof createAppRouter>['routesByPath']

/** An address, or a record that a link of a list leads to, with what is added to that link's own address. */
export type Address = string | { list: string; link: string | RegExp; add?: string }

/**
 * One thing a page shows, and what stands there once it is whole. `given`: what calls answer, where the real thing would
 * be used up by looking at it, or is over too soon.
 */
export type View = {
  url: Address
  whole: (page: Page) => Promise<void>
  given?: readonly { endpoint: Endpoint; data: unknown }[]
}

type Answer = { status: number; data?: unknown; message?: string }

/** What a page asks the server for: each answer is a state that must be shown. */
export type Load = {
  url: Address
  endpoint: Endpoint
  /** As the states name it: "the list of lots", "this lot". */
  what: string
  /** The name of what stands there meanwhile. */
  loading: string
  /** States of its own: an answer, and the words a person then reads. `url` where it differs. */
  more?: Readonly<Record<string, { url?: Address; answer: Answer; says: readonly (string | RegExp)[] }>>
  /** Where a failure reads otherwise than everywhere else: the server's own sentence. */
  saysMessage?: boolean
}

export type PageCase = {
  /** The demo person who opens it; null: nobody is signed in. */
  person: string | null
  /** By name. The first is how the page is usually met. */
  views: Readonly<Record<string, View>>
  /** None: the page asks for nothing that could be missing. */
  loads: readonly Load[]
}

/** What a list answers that holds nothing, or nothing of what was looked for. */
export const rows = (filteredRows: number, totalRows: number): Answer => ({
  status: 200,
  data: { filteredRows, totalRows, results: [] },
})

/** Loads the page anew and waits until it is whole. */
export async function show(page: Page, { url, whole, given = [] }: View): Promise<void> {
  // What was given to the view before is not meant for this one.
  await page.unrouteAll()
  for (const { endpoint, data } of given) {
    const body = JSON.stringify({ status: true, data, message: null })
    await page.route(`**${endpoint.path.replace(/\{\w+\}/g, '*')}*`, (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    )
  }
  await page.goto(await resolve(page, url))
  await whole(page)
}

/** Goes there as a link within the product does. The page must have loaded the product; what it knows it keeps. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address)
}

/** Finds the address, where a record's number is only known to the list. */
export async function resolve(page: Page, address: Address): Promise<string> {
  if (typeof address === 'string') return address
  await page.goto(address.list)
  const link = page.getByRole('main').getByRole('link', { name: address.link, exact: true })
  await link.waitFor()
  return `${(await link.getAttribute('href')) ?? ''}${address.add ?? ''}`
}
