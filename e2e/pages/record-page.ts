import type { Page } from 'playwright-core'
import type { Endpoint } from '#contract/endpoint.ts'
import type { List } from '#contract/lists/list.ts'
import { type PageCase, rows } from '#e2e/harness/page-case.ts'
import { drawer, see } from '#e2e/harness/steps.ts'

const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const dialog = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

/**
 * A page made with `RecordList`: the list, a new record, and one that is opened by its name in the list.
 * @param total the number of records in the demo data that the person sees.
 */
export function recordPage(
  person: string,
  {
    list,
    calls,
    param,
    opened,
    total,
  }: { list: List; calls: { list: Endpoint; get: Endpoint }; param: string; opened: string; total: number },
): PageCase {
  const [one, many] = list.nouns
  const url = list.page
  return {
    person,
    views: {
      [list.key]: { url, whole: text(opened) },
      [`${param}-new`]: { url: `${url}?${param}=new`, whole: dialog(new RegExp(`^New ${one}`)) },
      [param]: { url: { list: url, link: opened }, whole: dialog(new RegExp(`^${opened}`)) },
    },
    loads: [
      {
        url,
        endpoint: calls.list,
        what: `the list of ${many}`,
        loading: `Loading ${many}`,
        more: {
          empty: { answer: rows(0, 0), says: [`No ${many} yet`, `Add ${one}`] },
          'nothing found': {
            url: `${url}?search=zebra`,
            answer: rows(0, total),
            says: [`No ${many} match “zebra”`],
          },
        },
      },
      { url: `${url}?${param}=1`, endpoint: calls.get, what: `this ${one}`, loading: `Loading the ${one}` },
    ],
  }
}
