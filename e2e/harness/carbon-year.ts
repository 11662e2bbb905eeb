import type { Page } from 'playwright-core'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import type { Endpoint, Output, Sent } from '#contract/endpoint.ts'

/** Makes a call as the user signed in on the page. */
export async function callAs<E extends Endpoint>(
  page: Page,
  { method, path }: E,
  input: Sent<E>,
): Promise<Output<E>> {
  const given = new Map<string, unknown>(Object.entries(input ?? {}))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.get(name)
    given.delete(name)
    return encodeURIComponent(String(value))
  })
  const answer = await page.evaluate(
    async (asked: { method: string; path: string; input: unknown }) => {
      const headers = {
        authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '{}').accessToken}`,
        'content-type': 'application/json',
      }
      const query = asked.method === 'GET' ? `?${new URLSearchParams(Object.entries(asked.input ?? {}))}` : ''
      const body = asked.method === 'GET' ? null : JSON.stringify(asked.input)
      const response = await fetch(asked.path + query, { method: asked.method, headers, body })
      return await response.json()
    },
    { method, path: filled, input: Object.fromEntries(given) },
  )
  if (answer.status !== true) throw new Error(answer.message)
  return answer.data
}

/** A year with gas at two facilities and electricity at one of them. */
export async function addYear(
  page: Page,
  {
    boundary = 'financial',
    year = 2025,
    yearRule = 'edition',
  }: { boundary?: 'financial' | 'equity'; year?: number; yearRule?: 'edition' | 'latest' } = {},
) {
  const inventory = await callAs(page, carbonInventories.add, {
    name: `Bills of ${year}`,
    periodStart: `${year}-01-01`,
    periodEnd: `${year}-12-31`,
    boundary,
    gwpSet: 'AR5',
    yearRule,
  })
  const all = await callAs(page, carbonAssignments.facilities, { inventory: inventory.id })
  const two = all
    .filter(({ level, spans }) => level === 'site' && spans.every(({ percent }) => percent === '100'))
    .slice(0, 2)
  await callAs(page, carbonAssignments.choose, {
    inventoryId: inventory.id,
    choices: two.map(({ id }) => ({ facilityId: id, choice: 'included' as const, reason: null })),
  })
  const [first, second] = two.map(({ id }) => id)
  if (first === undefined || second === undefined) throw new Error('The demo world needs two facilities.')
  const assigned = { isAssigned: true as const, frequency: 'month' as const, method: 'calculated' as const }
  const { sources } = await callAs(page, carbonAssignments.save, {
    inventoryId: inventory.id,
    changes: [
      { facilityId: first, sourceType: 'natural_gas', ...assigned },
      { facilityId: first, sourceType: 'electricity', ...assigned, frequency: 'year' as const },
      { facilityId: second, sourceType: 'natural_gas', ...assigned, frequency: 'year' as const },
    ],
  })
  const idOf = (facilityId: string, type: string) =>
    sources.find((one) => one.facilityId === facilityId && one.sourceType === type)?.id ?? ''
  return {
    id: inventory.id,
    gas: idOf(first, 'natural_gas'),
    power: idOf(first, 'electricity'),
    otherGas: idOf(second, 'natural_gas'),
  }
}
