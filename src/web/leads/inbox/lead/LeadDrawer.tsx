import { useState } from 'react'
import { LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { labelOf } from '#contract/record.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { type AnswerKind, Composer, firstKind, useAnswerFields } from './Composer.tsx'
import { LeadActionBar, ownerText } from './LeadActionBar.tsx'
import { LeadClock } from './LeadClock.tsx'
import { LeadFacts } from './LeadFacts.tsx'
import type { LeadMenu } from './LeadMenus.tsx'
import { QuarantineNote } from '../queue/QuarantineNote.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { useLeadActions } from './use-lead-actions.ts'
import { WhyHere } from './WhyHere.tsx'

/** One lead next to the table: its clock, what to do, the person and the vehicle, what happened, and the answer. */
export function LeadDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(live(query(leads.get, { id }), 'queue'))
  const { data } = load
  return (
    <FormDrawer
      title={data?.personName ?? 'Lead'}
      size={640}
      about={
        data && <bdi>{`Lead ${data.id}, ${labelOf(LEAD_TYPES, data.type)}, ${data.lotName ?? 'no lot'}`}</bdi>
      }
      tools={data && <LeadClock lead={data} isPill />}
      onClose={onClose}
    >
      <Loaded query={load} what="this lead" shape="facts">
        {(loaded) => <DrawerContent key={loaded.id} lead={loaded} onClose={onClose} />}
      </Loaded>
    </FormDrawer>
  )
}

function DrawerContent({ lead, onClose }: { lead: LeadRecord; onClose: () => void }) {
  const actions = useLeadActions(lead)
  const [menu, setMenu] = useState<LeadMenu | null>(null)
  const [kind, setKind] = useState<AnswerKind>(() => firstKind(lead))
  const fields = useAnswerFields()
  return (
    <>
      <div className="fc-lead">
        <QuarantineNote lead={lead} actions={actions} onRemoved={onClose} />
        <div>
          <p className="fc-small fc-soft">
            <bdi>{ownerText(lead)}</bdi>
          </p>
          <LeadActionBar {...{ lead, actions, menu }} onMenu={setMenu} onRemoved={onClose} />
        </div>
        <LeadFacts lead={lead} />
        <LeadTimeline lead={lead} route={<WhyHere leadId={lead.id} />} />
      </div>
      <Composer {...{ lead, kind, menu, ...fields }} onMenu={setMenu} onKind={setKind} onLeave={() => {}} />
    </>
  )
}
