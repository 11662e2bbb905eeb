import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Layout } from '#contract/marketing/layouts/layouts.ts'
import type { BlockFault } from '#contract/marketing/pages/check-blocks.ts'
import { describeFinding, lintPage, type PageFinding } from '#contract/marketing/pages/lint-page.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { query } from '#web/api/query.ts'
import type { PageValues } from './page-form.ts'

/** What the rules of advertising have against what is being typed. Empty until they know the customer. */
export function useFindings(
  id: string,
  { title, description, blocks, endsOn }: PageValues,
  layout: Layout | undefined,
): PageFinding[] {
  const { data: facts } = useQuery(query(promoPages.facts, { id }))
  return useMemo(
    () =>
      facts === undefined
        ? []
        : lintPage(
            {
              title,
              description,
              blocks,
              endsOn: endsOn === '' ? null : endsOn,
              locked: layout === undefined ? [] : [...layout.top, ...layout.bottom],
            },
            facts,
          ),
    [facts, title, description, blocks, endsOn, layout],
  )
}

/** Stands for the page itself where a block is named. */
export const PAGE_ITSELF = 'page'

/** The findings that keep the page from being published, as faults of their blocks. */
export const stoppingFaults = (findings: readonly PageFinding[]): BlockFault[] =>
  findings
    .filter(({ severity }) => severity === 'stops')
    .map((finding) => ({ id: finding.id ?? PAGE_ITSELF, message: describeFinding(finding) }))
