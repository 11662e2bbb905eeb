import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps, ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { jobs } from '#contract/jobs/jobs.ts'
import { CallFailure } from '#web/api/failure.ts'
import { query, queryClient } from '#web/api/query.ts'
import { both, type Load, Loaded } from './Loaded.tsx'

type Read = { title: string }
const FAILURE = new CallFailure({ kind: 'refused', status: 500, message: 'It broke.', requestId: 'r-1' })
const load = (changes: Partial<Load<Read>>): Load<Read> => ({
  endpoint: jobs.get,
  data: undefined,
  error: null,
  retry: () => undefined,
  ...changes,
})

const html = (element: ReactElement) =>
  renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>{element}</QueryClientProvider>
    </MantineProvider>,
  ).replaceAll(/<style.*?<\/style>/gs, '')
const show = (
  changes: Partial<Load<Read>>,
  props: Pick<ComponentProps<typeof Loaded>, 'shape' | 'label'> = { shape: 'facts' },
) =>
  html(
    <Loaded query={load(changes)} what="this job" {...props}>
      {({ title }) => <h1>{title}</h1>}
    </Loaded>,
  )

afterEach(() => queryClient.clear())

test('a skeleton in the shape of the content is announced until there is data', () => {
  expect(show({})).toContain('data-shape="facts"')
  expect(show({})).toContain('Loading the job')
  expect(show({}, { shape: 'fields', label: 'Searching' })).toContain('Searching')
  expect(show({}, { shape: 'spinner' })).toBe(
    '<output class="fc-spinner" aria-label="Loading the job"></output>',
  )
  expect(show({}, { shape: <hr /> })).toBe('<hr/>')
  expect(show({}, { shape: null })).toBe('')
})

test('a failure without data says what could not be loaded, and offers another attempt', () => {
  const shown = show({ error: FAILURE })
  expect(shown).toContain('Couldn&#x27;t load this job')
  expect(shown).toContain('It broke.')
  expect(shown).toContain('r-1')
  expect(shown).toContain('Try again')
  expect(shown).not.toContain('data-shape')
})

test('a missing permission is the one of the endpoint that was asked', () => {
  const shown = show({ endpoint: jobs.list, error: new CallFailure({ kind: 'refused', status: 403 }) })
  expect(shown).toContain('You don&#x27;t have access to this job')
})

test('data stays when reading it again fails', () => {
  expect(show({ data: { title: 'Import' }, error: FAILURE })).toBe('<h1>Import</h1>')
})

test('null is data', () => {
  const shown = html(
    <Loaded query={{ ...load({}), data: null }} what="this job" shape="facts">
      {(data) => String(data)}
    </Loaded>,
  )
  expect(shown).toBe('null')
})

test('a query is read by the component itself, with what is cached', () => {
  const source = query(jobs.failures, { id: '7' })
  const list = (
    <Loaded query={source} what="the failed rows" shape="spinner">
      {(rows) => <p>{rows.length} rows</p>}
    </Loaded>
  )
  expect(html(list)).toContain('Loading the failed rows')
  queryClient.setQueryData(source.queryKey, [])
  expect(html(list)).toBe('<p>0 rows</p>')
})

test('two queries wait for each other, and the one that failed says why', () => {
  const [one, other] = [load({ data: { title: 'Import' } }), { ...load({}), endpoint: jobs.list }]
  expect(both(one, other)).toMatchObject({ data: undefined, error: null })
  const failed = both(one, { ...other, error: FAILURE })
  expect(failed).toMatchObject({ data: undefined, error: FAILURE, endpoint: jobs.list })
  expect(both(one, one).data).toEqual([{ title: 'Import' }, { title: 'Import' }])
})

test('another attempt reads both, and a failure while both have data is not shown', () => {
  let attempts = 0
  const one = load({ data: { title: 'Import' }, error: FAILURE, retry: () => (attempts += 1) })
  const two = both(one, one)
  expect(two.error).toBeNull()
  two.retry()
  expect(attempts).toBe(2)
})
