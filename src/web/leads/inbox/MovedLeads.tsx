import { Stack } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** The leads of the user's stores that are at another store now. */
export function MovedLeads({ onClose }: { onClose: () => void }) {
  return (
    <FormDrawer
      title="Moved leads"
      about="Leads of your stores that are at another store now"
      onClose={onClose}
    >
      <Loaded query={query(leadMoves.moved, {})} what="the moved leads" shape="fields">
        {(moves) =>
          moves.length === 0 ? (
            <EmptyState
              icon={<IconArrowsExchange size={18} />}
              title="No lead was moved"
              text="Leads that were moved to another store are listed here, with who moved them and why."
            />
          ) : (
            <Stack component="ul" gap="md" aria-label="Moved leads">
              {moves.map(({ id, personName, vehicleTitle, fromName, toName, reason, byName, at }) => (
                <li key={id}>
                  <p className="fc-lead-event">
                    <bdi>{[personName, vehicleTitle].filter(Boolean).join(', ')}</bdi>
                    <time className="fc-small fc-soft" dateTime={at}>
                      {formatAgo(at)}
                    </time>
                  </p>
                  <p className="fc-small fc-soft">
                    <bdi>{`From ${fromName ?? 'no store'} to ${toName}, by ${byName ?? 'a rule'}`}</bdi>
                  </p>
                  {reason !== null && (
                    <p className="fc-small">
                      <bdi>{reason}</bdi>
                    </p>
                  )}
                </li>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </FormDrawer>
  )
}
