import { type ComponentType, lazy } from 'react'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import type { TAB_IDS } from './page-parts.ts'

type Tab = {
  id: (typeof TAB_IDS)[number]
  title: string
  Tab: ComponentType<{ assessment: Assessment }>
}

/**
 * The tabs of an open or closed assessment. The ID of each is in `TAB_IDS`, which the route reads.
 * @param People the people without an account, who belong to participants.
 */
export const tabsWith = (People: Tab['Tab']): readonly Tab[] => [
  {
    id: 'board',
    title: 'Board',
    Tab: lazy(async () => ({ default: (await import('./board/Board.tsx')).Board })),
  },
  {
    id: 'results',
    title: 'Results',
    Tab: lazy(async () => ({ default: (await import('../results/ResultsTab.tsx')).ResultsTab })),
  },
  {
    id: 'actions',
    title: 'Actions',
    Tab: lazy(async () => ({ default: (await import('../actions/ActionsTab.tsx')).ActionsTab })),
  },
  { id: 'people', title: 'People', Tab: People },
  {
    id: 'setup',
    title: 'Setup',
    Tab: lazy(async () => ({ default: (await import('./SetupTab.tsx')).SetupTab })),
  },
]
