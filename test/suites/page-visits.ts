import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import type { TestApp } from '#test/app.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

/** The public host of Northgate. */
const HOST = 'northgate.localhost'
type Opening = { headers?: Record<string, string>; method?: 'GET' | 'HEAD'; ip?: string }

/** Opens promo pages as visitors and scanners do, each time from another network, and reads what was counted. */
export function pageVisitors(forecourt: TestApp, place: TestOrganization) {
  let network = 0
  return {
    /** @returns the status, and the mark that the page sends when it is used */
    open: async (
      url: string,
      { headers = {}, method = 'GET', ip = `203.0.113.${++network % 250}` }: Opening = {},
    ) => {
      const answer = await forecourt.app.inject({
        method,
        url,
        headers: { host: HOST, ...headers },
        remoteAddress: ip,
      })
      return {
        status: answer.statusCode,
        mark: /data-visit="([^"]+)"/.exec(answer.body)?.[1] ?? null,
        cookie: answer.headers['set-cookie'] ?? null,
      }
    },
    /** Says that a person used the page. */
    use: (visit: string) =>
      forecourt.app.inject({
        method: 'POST',
        url: '/s/seen',
        headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ click: '', visit }).toString(),
      }),
    visitsOf: async (id: string) => {
      await forecourt.sites.flushClicks()
      return place.call(promoPages.visits, { id })
    },
  }
}
