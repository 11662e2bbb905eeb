import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { jobs } from '#contract/jobs/jobs.ts'

// Another test file may have loaded these modules before, with the real drawer, which needs a document.
vi.resetModules()
vi.mock('#web/ui/form/FormDrawer.tsx', () => ({
  FormDrawer: ({ title, about, tools, children }: Record<string, ReactNode>) => (
    <aside>
      {title} | {about} | {tools}
      {children}
    </aside>
  ),
}))
const { query, queryClient } = await import('#web/api/query.ts')
const { DetailDrawer } = await import('./DetailDrawer.tsx')

const source = query(jobs.failures, { id: '7' })
const text = () =>
  renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <DetailDrawer
          query={source}
          what="the failed rows"
          noun="Rows"
          onClose={() => undefined}
          renderParts={(rows) => ({
            title: `${rows.length} rows`,
            about: 'of an import',
            state: 'Over',
            note: <p>Look at them.</p>,
            facts: [
              ['Started', 'Nov 18'],
              ['Ended', null],
            ],
            actions: <button type="button">Undo</button>,
          })}
        >
          {() => <p>The rows</p>}
        </DetailDrawer>
      </QueryClientProvider>
    </MantineProvider>,
  )
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

afterEach(() => queryClient.clear())

test('until the record is loaded, the drawer has the name of its kind and a skeleton', () => {
  expect(text()).toBe('Rows | | Loading the failed rows')
})

test('a note comes first, then facts and content, and actions are beside Close', () => {
  queryClient.setQueryData(source.queryKey, [])
  expect(text()).toBe('0 rows | of an import | Over Look at them. Started Nov 18 The rows Close Undo')
})
