import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { ruleRequests, type SettingChange } from '#contract/pricing/rules/rule-requests.ts'
import { send } from '#web/api/query.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Changes, Figures } from './RulePreviewCard.tsx'

/** Long enough for an amount that is still being typed. */
const DEBOUNCE_MS = 300

const preview = send(ruleRequests.preview)

type Props = {
  /** What saving would change; null if nothing that totals depend on, or while the form has errors. */
  change: SettingChange | null
}

/** How saving the details or a lot would move the totals that buyers see. */
export function SettingEffect({ change }: Props) {
  const [text] = useDebouncedValue(JSON.stringify(change), DEBOUNCE_MS)
  const { data, error, isFetching } = useQuery({
    queryFn: () => preview({ change: JSON.parse(text) }),
    queryKey: ['preview of a price setting', text],
    enabled: change !== null && text !== 'null',
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  if (change === null) return null
  return (
    <section className="fc-rule-preview fc-wide" aria-label="Effect on totals" aria-busy={isFetching}>
      {error && <p className="fc-small">{error.message}</p>}
      {!error && data && <SettingFigures effect={data} />}
    </section>
  )
}

/** The same in figures, with the vehicles that change most. */
export function SettingFigures({ effect }: { effect: RulePreview }) {
  const { lowered, raised, day, currency } = effect
  const changed = lowered + raised
  const since = day === null ? '' : ` from ${formatDay(day)} on`
  return (
    <>
      <p className="fc-small" aria-live="polite">
        <bdi>
          {changed === 0
            ? 'Saving changes no total that buyers see.'
            : `What saving changes for buyers${since}:`}
        </bdi>
      </p>
      {changed > 0 && <Figures effect={effect} hasLimits={false} />}
      {changed > 0 && <Changes {...{ effect, changed, currency, isSimulated: day !== null }} />}
    </>
  )
}
