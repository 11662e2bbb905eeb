import { MantineProvider } from '@mantine/core'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { sampleTarget } from '#test/factories/assessments/sample-target.ts'
import { BoardBlocks } from './BoardBlocks.tsx'
import { BoardTable } from './BoardTable.tsx'
import { StateStrip } from './StateStrip.tsx'

// For someone who may open every page.
vi.mock('#web/ui/controls/Link.tsx', async () => ({ Link: (await import('@tanstack/react-router')).Link }))

const section = (id: string, answered: number, questions: number, flagged = 0) => ({
  section: id,
  questions,
  answered,
  required: 0,
  requiredAnswered: 0,
  flagged,
})
const SECTIONS = [
  { id: 'site', title: 'Site' },
  { id: 'energy', title: 'Energy' },
]
const TARGETS = [
  sampleTarget({
    id: '7',
    name: 'Main street',
    state: 'in_progress',
    isOverdue: true,
    dueOn: '2020-11-10',
    sections: [section('site', 5, 5), section('energy', 3, 7)],
  }),
]
const board = {
  targets: TARGETS,
  sections: SECTIONS,
  lines: new Map([['7', '8 of 12 answered, 10 days late']]),
  present: new Map([['7', [{ key: 'p9', name: 'Erin Walsh', isParticipant: true, questionCode: null }]]]),
  selected: new Set(['7']),
}
// Links need a router, but none of its routes.
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
const render = (element: ReactElement) =>
  renderToStaticMarkup(
    <RouterContextProvider router={router}>
      <MantineProvider>{element}</MantineProvider>
    </RouterContextProvider>,
  )

test('a row says what is overdue, explains each cell, and can be selected', () => {
  const html = render(<BoardTable {...board} onSelect={() => {}} />)
  expect(html).toContain('Overdue')
  expect(html).toContain('8 of 12 answered, 10 days late')
  expect(html).toContain('aria-label="Energy, 42%: 3 of 7 questions answered."')
  expect(html).toContain('42%')
  expect(html).toContain('href="/assessments/1/targets/7"')
  expect(html).toContain('aria-label="Select Main street"')
  expect(html).toContain('data-selected="true"')
  expect(html).toContain('Erin Walsh has it open now')
})

test("someone who can't change the assessment has nothing to select", () => {
  for (const Rows of [BoardTable, BoardBlocks]) {
    expect(render(<Rows {...board} onSelect={null} />)).not.toContain('type="checkbox"')
  }
})

test('on a narrow screen, the explanation of each cell is read aloud', () => {
  const html = render(<BoardBlocks {...board} onSelect={() => {}} />)
  expect(html).toContain('Site: 5 of 5 questions answered.')
  expect(html).toContain('Due <bdi class="fc-number fc-board-late">Nov 10, 2020</bdi>')
})

test('each status is a filter with its count', () => {
  const counts = {
    not_started: 2,
    in_progress: 0,
    overdue: 1,
    changes_requested: 0,
    in_review: 0,
    approved: 5,
  }
  const html = render(<StateStrip counts={counts} chosen="overdue" onChoose={() => {}} />)
  expect(html.match(/aria-pressed="true"/g)).toHaveLength(1)
  expect(html).toContain('<b>5</b>')
})
