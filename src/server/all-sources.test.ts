import { expect, test } from 'vitest'
import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { listOf } from '#contract/queried-list.ts'
import { allSources } from './all-sources.ts'

test('every list of the contract has a source, so that it can be exported, and one endpoint', () => {
  const lists = listEndpoints(contract).flatMap(({ endpoint }) => listOf(endpoint)?.key ?? [])
  expect(allSources.map(({ list }) => list.key).toSorted()).toEqual(lists.toSorted())
})
