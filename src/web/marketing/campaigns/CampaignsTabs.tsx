import { Link } from '#web/ui/controls/Link.tsx'
import '#web/ui/record/record-page.css'

/** The tabs of campaigns, each a page of its own. */
const TABS = [
  { to: '/dvp/campaigns', title: 'Campaigns' },
  { to: '/dvp/campaigns/recipients', title: 'Recipients' },
  { to: '/dvp/campaigns/imported-lists', title: 'Imported lists' },
] as const

/** The tab strip of campaigns, below the page header. */
export function CampaignsTabs({ current }: { current: (typeof TABS)[number]['title'] }) {
  return (
    <nav className="fc-tabs" aria-label="Sections of campaigns">
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
