import { Stack, Text } from '@mantine/core'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { query } from '#web/api/query.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { VisitFigures } from '../visits/VisitFigures.tsx'
import { VisitsByDay } from '../visits/VisitsByDay.tsx'

/** Who opened a page in the last 30 days, and the leads of its forms. */
export function PageVisits({ id }: { id: string }) {
  return (
    <Stack gap={16} px="var(--fc-gutter)" py={16} maw={760}>
      <Loaded query={query(promoPages.visits, { id })} what="the visits" shape="fields">
        {(visits) => (
          <>
            <VisitFigures visits={visits} noun="visits" />
            <VisitsByDay visits={visits} title="Visits by day" nouns={['visit', 'visits']} level={2} />
            <Text size="xs" c="dimmed">
              Counted without cookies or addresses. A person is someone who used the page: a visitor who only
              opened it may be a scanner.
            </Text>
          </>
        )}
      </Loaded>
    </Stack>
  )
}
