import { Link } from '#web/ui/controls/Link.tsx'
import '#web/ui/record/record-page.css'

/** The tabs of lead routing, each a page of its own. */
const TABS = [
  { to: '/customers/lead-routing', title: 'Rules' },
  { to: '/customers/lead-routing/destinations', title: 'Destinations' },
  { to: '/customers/lead-routing/deliveries', title: 'Deliveries' },
  { to: '/customers/lead-routing/webhooks', title: 'Webhooks' },
  { to: '/customers/lead-routing/inbound', title: 'Inbound' },
] as const
export type LeadRoutingTab = (typeof TABS)[number]['title']

export const LEAD_ROUTING = 'Lead routing'

/** The tab strip of lead routing, below the page header: of `LeadRoutingFrame`, or as `tabs` of a `ListPage`. */
export function LeadRoutingTabs({ current }: { current: LeadRoutingTab }) {
  return (
    <nav className="fc-tabs" aria-label="Sections of lead routing">
      {TABS.map(({ to, title }) => (
        <Link
          key={title}
          to={to}
          activeOptions={{ exact: true }}
          {...(title === current && { 'aria-current': 'page' as const })}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
