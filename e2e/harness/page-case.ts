import type { Page } from 'playwright-core'
import type { Endpoint } from '#contract/endpoint.ts'
import type { createAppRouter } from '#web/routes.tsx'

/** The path of every page of the product, from the routes. */
export type PagePath = keyof ReturnType<typeof createAppRouter>['routesByPath']

/** A URL, or a record opened by a link in a list, with parameters to add to that link's URL. */
export type Address = string | { list: string; link: string | RegExp; add?: string }

/**
 * One state of a page, and how to tell that it is complete. `given`: fixed responses, for states that are one-time
 * or too short; `when` limits one to addresses that contain this text.
 */
export type View = {
  url: Address
  whole: (page: Page) => Promise<void>
  given?: readonly { endpoint: Endpoint; data: unknown; when?: string }[]
  /** A text of the page as the server sends it, and what is sent instead. */
  sent?: readonly [text: string, instead: string]
}

type Answer = { status: number; data?: unknown; message?: string }

/** A call of a page: each possible response is a state to check. */
export type Load = {
  url: Address
  endpoint: Endpoint
  /** As used in messages: "the list of lots", "this lot". */
  what: string
  /** The name of the loading indicator. */
  loading: string
  /** Additional states: a response and the texts shown. `url` if it differs. */
  more?: Readonly<Record<string, { url?: Address; answer: Answer; says: readonly (string | RegExp)[] }>>
  /** Shows the server's message instead of the usual failure text. */
  saysMessage?: boolean
}

export type PageCase = {
  /** The demo user who opens it; null: signed out. */
  person: string | null
  /** By name. The first is the usual state of the page. */
  views: Readonly<Record<string, View>>
  /** None: the page makes no calls. */
  loads: readonly Load[]
}

/** The response of a list without rows, or without matching rows. */
export const rows = (filteredRows: number, totalRows: number): Answer => ({
  status: 200,
  data: { filteredRows, totalRows, results: [] },
})

/** Loads the page and waits until it is complete. */
export async function show(page: Page, { url, whole, given = [], sent }: View): Promise<void> {
  // Remove the fixed responses of the previous view.
  await page.unrouteAll()
  for (const { endpoint, data, when = '' } of given) {
    const body = JSON.stringify({ status: true, data, message: null })
    await page.route(`**${endpoint.path.replace(/\{\w+\}/g, '*')}*`, (route) =>
      route.request().url().includes(when)
        ? route.fulfill({ contentType: 'application/json', body })
        : route.fallback(),
    )
  }
  const address = await resolve(page, url)
  if (sent) {
    await page.route(`**${address}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(...sent) })
    })
  }
  await page.goto(address)
  await whole(page)
}

/** Navigates like a link inside the product. The product must be loaded; its cache is kept. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address)
}

/** Resolves the URL of a record whose ID is only known from the list. */
export async function resolve(page: Page, address: Address): Promise<string> {
  if (typeof address === 'string') return address
  await page.goto(address.list)
  const link = page.getByRole('main').getByRole('link', { name: address.link, exact: true })
  await link.waitFor()
  return `${(await link.getAttribute('href')) ?? ''}${address.add ?? ''}`
}
